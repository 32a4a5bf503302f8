#include "base/arena.h"
#include "http/header_list.h"

#include <catch2/catch.hpp>
#include <string>

using namespace reef;
using namespace reef::http;

TEST_CASE("names compare without case, lines keep their order") {
    Arena arena;
    HeaderList fields(arena);
    fields.add("Set-Cookie", "a");
    fields.add("X", "1");
    fields.add("set-cookie", "b");
    CHECK(fields.find("SET-COOKIE") == "a");
    CHECK(fields.count("Set-Cookie") == 2);
    fields.set("x", "2");
    CHECK(fields.find("X") == "2");
    fields.set("Set-Cookie", "c");
    CHECK(fields.count("Set-Cookie") == 1);
    CHECK(fields.begin()->value == "c");
    fields.set("Y", "3");
    CHECK(fields.size() == 3);
    CHECK(fields.remove("y") == 1);
    CHECK(fields.remove("y") == 0);
}

TEST_CASE("a token of a list is found in any of its lines, and only whole") {
    Arena arena;
    HeaderList fields(arena);
    fields.add("Connection", "keep-alive , Upgrade");
    fields.add("connection", "x,close");
    CHECK(fields.hasToken("CONNECTION", "upgrade"));
    CHECK(fields.hasToken("Connection", "CLOSE"));
    CHECK_FALSE(fields.hasToken("Connection", "keep"));
    CHECK_FALSE(fields.hasToken("Connections", "close"));
}

TEST_CASE("fields follow the buffer they point into") {
    Arena arena;
    HeaderList fields(arena);
    const std::string old = "Name: value";
    fields.add(std::string_view(old).substr(0, 4), std::string_view(old).substr(6));
    const std::string moved = "Mane: eulav";
    fields.relocate(old.data(), moved.data());
    CHECK(fields.find("mane") == "eulav");
    CHECK(fields.begin()->name.data() == moved.data());
}

TEST_CASE("a copy of a list lives in the same memory") {
    Arena arena;
    HeaderList fields(arena);
    fields.add("A", "b");
    const HeaderList copy = fields;
    const auto place = reinterpret_cast<const char*>(&*copy.begin());
    const auto inside = reinterpret_cast<const char*>(&arena);
    CHECK(place >= inside);
    CHECK(place < inside + sizeof arena);
    CHECK(copy.find("a") == "b");
}
