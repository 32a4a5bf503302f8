#include "admin/format.h"

#include <catch2/catch.hpp>

using namespace reef::admin;
using namespace std::chrono;

TEST_CASE("counts are grouped by thousands") {
    CHECK(format::count(0) == "0");
    CHECK(format::count(999) == "999");
    CHECK(format::count(1000) == "1,000");
    CHECK(format::count(1234567) == "1,234,567");
    CHECK(format::count(18446744073709551615U) == "18,446,744,073,709,551,615");
}

TEST_CASE("a share is a whole percentage, and never hides what is there") {
    CHECK(format::share(0, 0) == "0%");
    CHECK(format::share(5, 0) == "0%");
    CHECK(format::share(1, 1000) == "<1%");
    CHECK(format::share(1, 3) == "33%");
    CHECK(format::share(2, 3) == "67%");
    CHECK(format::share(3, 3) == "100%");
}

TEST_CASE("durations take the unit that fits") {
    CHECK(format::duration(0us) == "0 ms");
    CHECK(format::duration(340us) == "0.3 ms");
    CHECK(format::duration(4200us) == "4.2 ms");
    CHECK(format::duration(42ms) == "42 ms");
    CHECK(format::duration(999ms) == "999 ms");
    CHECK(format::duration(999600us) == "1 s");
    CHECK(format::duration(1400ms) == "1.4 s");
    CHECK(format::duration(90s) == "90 s");
    CHECK(format::duration(150s) == "2.5 min");
    CHECK(format::duration(-5us) == "0 ms");
}

TEST_CASE("spans of time are told in two units") {
    CHECK(format::span(0s) == "0 s");
    CHECK(format::span(59s) == "59 s");
    CHECK(format::span(61s) == "1 min");
    CHECK(format::span(5h + 12min + 3s) == "5 h 12 min");
    CHECK(format::span(24h) == "1 day");
    CHECK(format::span(76h) == "3 days 4 h");
    CHECK(format::span(-1s) == "0 s");
}

TEST_CASE("sizes take the unit that fits") {
    CHECK(format::bytes(0) == "0 B");
    CHECK(format::bytes(1023) == "1023 B");
    CHECK(format::bytes(1024) == "1 KB");
    CHECK(format::bytes(1536) == "1.5 KB");
    CHECK(format::bytes(1024 * 1024 - 1) == "1 MB");
    CHECK(format::bytes(240ULL << 20U) == "240 MB");
}

TEST_CASE("times are told in UTC") {
    const reef::pageviews::Time time = sys_days(2026y / November / 5) + 7h + 4min + 9s + 999ms;
    CHECK(format::clock(time) == "07:04:09");
    CHECK(format::hour(time) == "07:04");
    CHECK(format::day(time) == "2026-11-05");
    CHECK(format::shortDay(time) == "5 Nov");
    CHECK(format::timestamp(time) == "2026-11-05T07:04:09Z");
}
