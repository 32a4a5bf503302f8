#include "gateway/announced_length.h"

#include <catch2/catch.hpp>

using reef::gateway::AnnouncedLength;

namespace {

std::string_view taken(AnnouncedLength& length, std::string_view piece) {
    return reef::textOf(length.take(reef::bytesOf(piece)));
}

} // namespace

TEST_CASE("without an announcement everything passes and nothing is wrong") {
    AnnouncedLength length{std::nullopt};
    CHECK(taken(length, "hello") == "hello");
    CHECK_FALSE(length.isShort());
    CHECK_FALSE(length.isExceeded());
}

TEST_CASE("content of the announced length passes whole, however it is cut into pieces") {
    AnnouncedLength length{5};
    CHECK(taken(length, "he") == "he");
    CHECK(length.isShort());
    CHECK(taken(length, "llo") == "llo");
    CHECK_FALSE(length.isShort());
    CHECK_FALSE(length.isExceeded());
}

TEST_CASE("what lies beyond the announced length is kept back") {
    AnnouncedLength length{3};
    CHECK(taken(length, "he") == "he");
    CHECK(taken(length, "llo") == "l");
    CHECK(taken(length, "more").empty());
    CHECK(length.isExceeded());
    CHECK(length.describe() == "announced 3 bytes of content and wrote 9");
}

TEST_CASE("an announced length of nothing lets nothing pass") {
    AnnouncedLength length{0};
    CHECK_FALSE(length.isShort());
    CHECK(taken(length, "x").empty());
    CHECK(length.isExceeded());
}
