#include "base/arena.h"
#include "http/accept.h"

#include <catch2/catch.hpp>
#include <initializer_list>

using namespace reef;

namespace {

int weight(std::initializer_list<std::string_view> lines, std::string_view type) {
    Arena arena;
    http::HeaderList fields(arena);
    for (const auto line : lines)
        fields.add("accept", line);
    return http::acceptWeight(fields, type);
}

} // namespace

TEST_CASE("a client that says nothing of media types takes any") {
    CHECK(weight({}, "text/html") == 1000);
    CHECK(weight({"*/*"}, "text/html") == 1000);
}

TEST_CASE("the most specific range that names a type counts") {
    const char* const browser =
        "text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8";
    CHECK(weight({browser}, "text/html") == 1000);
    CHECK(weight({browser}, "application/json") == 800);
    CHECK(weight({"*/*;q=0.1, text/*;q=0.5, TEXT/HTML;level=1;q=0.7"}, "text/html") == 700);
    CHECK(weight({"*/*;q=0.1, text/*;q=0.5"}, "text/html") == 500);
    CHECK(weight({"text/html;q=0, */*"}, "text/html") == 0);
    CHECK(weight({"application/json"}, "text/html") == 0);
    CHECK(weight({"application/json", "text/html;q=0.5"}, "text/html") == 500);
}

TEST_CASE("malformed elements of Accept are ignored") {
    CHECK(weight({"text/html;q=7, */*;q=0.2"}, "text/html") == 200);
    CHECK(weight({",, text/html"}, "text/html") == 1000);
    CHECK(weight({""}, "text/html") == 0);
    CHECK(weight({"*, text/, /html, tex/*"}, "text/html") == 0);
}
