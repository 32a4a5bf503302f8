#include "http/range.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

using namespace reef;
using namespace reef::http;

namespace {

using Kind = RangeRequest::Kind;
using Ranges = std::vector<ByteRange>;

void gives(std::string_view header, ByteCount size, const Ranges& expected) {
    INFO(header << " of " << size);
    const auto request = rangesFor(header, size);
    REQUIRE(request.kind == Kind::list);
    CHECK(Ranges(request.ranges().begin(), request.ranges().end()) == expected);
}

} // namespace

TEST_CASE("a range is cut to the size of the representation") {
    gives("bytes=0-0", 100, {{0, 1}});
    gives("bytes=0-9", 100, {{0, 10}});
    gives("bytes=90-", 100, {{90, 10}});
    gives("bytes=-10", 100, {{90, 10}});
    gives("bytes=-1000", 100, {{0, 100}});
    gives("bytes=0-", 100, {{0, 100}});
    gives("bytes=99-1000", 100, {{99, 1}});
    gives("BYTES=0-9", 100, {{0, 10}});
    gives("bytes= 0-9 ", 100, {{0, 10}});
    gives("bytes=0-99999999999999999999999", 100, {{0, 100}});
    gives("bytes=-99999999999999999999999", 100, {{0, 100}});
    gives("bytes=4294967296-4294967299", 5000000000, {{4294967296, 4}});
    gives("bytes=0-18446744073709551615", ~ByteCount{0}, {{0, ~ByteCount{0}}});
}

TEST_CASE("several ranges stay in the order asked for, without those that lie outside") {
    gives("bytes=0-0,-1", 100, {{0, 1}, {99, 1}});
    gives("bytes=50-59, 0-9", 100, {{50, 10}, {0, 10}});
    gives("bytes=0-9,,  200-300 , 20-29", 100, {{0, 10}, {20, 10}});
}

TEST_CASE("ranges that all lie outside cannot be satisfied") {
    for (const char* header : {"bytes=100-", "bytes=100-200", "bytes=-0", "bytes=100-,200-",
                               "bytes=99999999999999999999999-"}) {
        INFO(header);
        CHECK(rangesFor(header, 100).kind == Kind::unsatisfiable);
    }
    CHECK(rangesFor("bytes=0-", 0).kind == Kind::unsatisfiable);
    CHECK(rangesFor("bytes=0-0", 0).kind == Kind::unsatisfiable);
}

TEST_CASE("a Range that is malformed or not for us is ignored") {
    for (const char* header :
         {"",          "bytes",       "bytes=",      "bytes=,",     "bytes=-",
          "bytes=a-b", "bytes=1",     "bytes=1-2-3", "bytes=--1",   "bytes=+1-2",
          "bytes=9-1", "bytes=0-9;",  "bytes=0 -9",  "bytes=0- 9",  "bytes:0-9",
          "lines=0-9", "bytes=0-9,x", "bytes =0-9",  "bytes=0x0-9", "none"}) {
        INFO(header);
        CHECK(rangesFor(header, 100).kind == Kind::none);
    }
    CHECK(rangesFor("bytes=-5", 0).kind == Kind::none);
}

TEST_CASE("too many ranges, or overlapping ones, get everything once") {
    CHECK(rangesFor("bytes=0-,0-", 100).kind == Kind::none);
    CHECK(rangesFor("bytes=0-60,40-99", 100).kind == Kind::none);
    std::string eight = "bytes=0-0";
    for (int i = 1; i < 8; ++i)
        eight += "," + std::to_string(i * 2) + "-" + std::to_string(i * 2);
    CHECK(rangesFor(eight, 100).ranges().size() == 8);
    CHECK(rangesFor(eight + ",50-50", 100).kind == Kind::none);
    CHECK(rangesFor(eight + ",50-50", 100, 9).ranges().size() == 9);
    CHECK(rangesFor("bytes=0-0,2-2", 100, 1).kind == Kind::none);
    std::string many = "bytes=0-0";
    for (int i = 1; i < 20; ++i)
        many += "," + std::to_string(i) + "-" + std::to_string(i);
    CHECK(rangesFor(many, 100, 1000).kind == Kind::none);
    std::string outside = "bytes=";
    for (int i = 0; i < 1000; ++i)
        outside += "500-,";
    CHECK(rangesFor(outside, 100).kind == Kind::none);
}

TEST_CASE("Content-Range names the bytes sent and the size") {
    Arena arena;
    CHECK(contentRange({90, 10}, 100, arena) == "bytes 90-99/100");
    CHECK(contentRange({0, ~ByteCount{0}}, ~ByteCount{0}, arena) ==
          "bytes 0-18446744073709551614/18446744073709551615");
    CHECK(unsatisfiedRange(100, arena) == "bytes */100");
}
