#include "base/arena.h"
#include "cache/cache_control.h"

#include <catch2/catch.hpp>
#include <initializer_list>

using namespace reef;
using std::chrono::seconds;

namespace {

cache::CacheControl read(std::initializer_list<std::string_view> lines) {
    Arena arena;
    http::HeaderList fields(arena);
    for (const auto line : lines)
        fields.add("Cache-Control", line);
    return cache::cacheControlOf(fields);
}

} // namespace

TEST_CASE("directives are read without case, with blanks around them, over several lines") {
    const auto said = read({" Public ,MAX-AGE = 60", "s-maxage=\"10\",must-revalidate"});
    CHECK(said.isPublic);
    CHECK(said.maxAge == seconds(60));
    CHECK(said.sMaxAge == seconds(10));
    CHECK(said.mustRevalidate);
    CHECK_FALSE(said.isPrivate);
    CHECK_FALSE(said.noStore);
}

TEST_CASE("a comma in a quoted string parts nothing") {
    const auto said = read({"private=\"a, no-store, b\\\", max-age=5\", no-cache=\"x\""});
    CHECK(said.isPrivate);
    CHECK(said.noCache);
    CHECK_FALSE(said.noStore);
    CHECK_FALSE(said.maxAge);
}

TEST_CASE("a time that is none is over, one that is too large is long, of two the smaller counts") {
    CHECK(read({"max-age=-1"}).maxAge == seconds(0));
    CHECK(read({"max-age"}).maxAge == seconds(0));
    CHECK(read({"max-age=5x"}).maxAge == seconds(0));
    CHECK(read({"max-age=99999999999999999999"}).maxAge == seconds(1LL << 31U));
    CHECK(read({"max-age=7, max-age=5", "max-age=9"}).maxAge == seconds(5));
    CHECK_FALSE(read({"x-max-age=7"}).maxAge);
}

TEST_CASE("the times of stale answers are read (RFC 5861)") {
    const auto said = read({"stale-while-revalidate=30, stale-if-error=60, proxy-revalidate"});
    CHECK(said.staleWhileRevalidate == seconds(30));
    CHECK(said.staleIfError == seconds(60));
    CHECK(said.mustRevalidate);
}
