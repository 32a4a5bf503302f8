#include "http/date.h"

#include <catch2/catch.hpp>
#include <cstdio>
#include <string>

using namespace reef::http;

namespace {
constexpr std::time_t kNow = 1795000000; // in November 2026
}

TEST_CASE("a date is written as IMF-fixdate") {
    CHECK(DateText(784111777).view() == "Sun, 06 Nov 1994 08:49:37 GMT");
    CHECK(DateText(0).view() == "Thu, 01 Jan 1970 00:00:00 GMT");
    CHECK(DateText(-1).view() == "Wed, 31 Dec 1969 23:59:59 GMT");
    CHECK(DateText(951782400).view() == "Tue, 29 Feb 2000 00:00:00 GMT");
    CHECK(DateText(4107542400).view() == "Mon, 01 Mar 2100 00:00:00 GMT");
    CHECK(DateText(253402300799).view() == "Fri, 31 Dec 9999 23:59:59 GMT");
    CHECK(DateText(253402300800).view() == "Fri, 31 Dec 9999 23:59:59 GMT");
    CHECK(DateText(-99999999999999).view() == "Mon, 01 Jan 0001 00:00:00 GMT");
}

TEST_CASE("dates agree with the C library over the centuries, and read back") {
    for (std::time_t moment = -5000000000; moment < 9000000000; moment += 86400 * 13 + 7919) {
        std::tm civil{};
        gmtime_r(&moment, &civil);
        char expected[64];
        std::strftime(expected, sizeof expected, "%a, %d %b %Y %H:%M:%S GMT", &civil);
        REQUIRE(DateText(moment).view() == expected);
        REQUIRE(parseDate(expected, kNow) == moment);
        std::strftime(expected, sizeof expected, "%a %b %e %H:%M:%S %Y", &civil);
        REQUIRE(parseDate(expected, kNow) == moment);
    }
}

TEST_CASE("the three forms of a date mean the same") {
    for (const char* text : {"Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
                             "Sun Nov  6 08:49:37 1994"}) {
        CHECK(parseDate(text, kNow) == 784111777);
    }
    CHECK(parseDate("Wed Nov 16 08:49:37 1994", kNow) == 784975777);
    CHECK(parseDate("Sat, 31 Dec 2016 23:59:60 GMT", kNow) == 1483228800);
}

TEST_CASE("two digits of a year mean at most 50 years ahead") {
    CHECK(parseDate("Friday, 01-Jan-76 00:00:00 GMT", kNow) == 3345062400); // 2076, 50 years ahead
    CHECK(parseDate("Friday, 01-Jan-77 00:00:00 GMT", kNow) == 220924800);  // 1977
    CHECK(parseDate("Friday, 01-Jan-26 00:00:00 GMT", kNow) == 1767225600);
}

TEST_CASE("what is almost a date is none") {
    for (const char* text : {"",
                             "0",
                             "784111777",
                             "Sun, 06 Nov 1994 08:49:37",
                             "Sun, 06 Nov 1994 08:49:37 UTC",
                             "Sun, 06 Nov 1994 08:49:37 GMT ",
                             " Sun, 06 Nov 1994 08:49:37 GMT",
                             "sun, 06 Nov 1994 08:49:37 GMT",
                             "Sun, 6 Nov 1994 08:49:37 GMT",
                             "Sun, 06 Nov 94 08:49:37 GMT",
                             "Sun, 31 Nov 1994 08:49:37 GMT",
                             "Sun, 00 Nov 1994 08:49:37 GMT",
                             "Sun, 29 Feb 1900 08:49:37 GMT",
                             "Sun, 06 Nov 1994 24:00:00 GMT",
                             "Sun, 06 Nov 1994 08:60:00 GMT",
                             "Sun, 06 Nov 1994 08:49:61 GMT",
                             "Sun, 06 Nov 0000 08:49:37 GMT",
                             "Sun, 06 Nov 19941 08:49:37 GMT",
                             "Sun, -6 Nov 1994 08:49:37 GMT",
                             "Sunday, 06-Nov-1994 08:49:37 GMT",
                             "Sun Nov 6 08:49:37 1994",
                             "Sun Nov  6 08:49:37 94",
                             "Xyz, 06 Nov 1994 08:49:37 GMT",
                             "Sun, 06 Xyz 1994 08:49:37 GMT"}) {
        INFO(text);
        CHECK_FALSE(parseDate(text, kNow));
    }
}
