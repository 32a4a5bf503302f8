#include "base/quantity.h"

#include <catch2/catch.hpp>

using namespace reef;
using namespace std::chrono_literals;

TEST_CASE("times have a unit") {
    CHECK(parseDuration("1ms") == 1ms);
    CHECK(parseDuration("30s") == 30s);
    CHECK(parseDuration("5m") == 5min);
    CHECK(parseDuration("5h") == 5h);
    CHECK(parseDuration("2d") == 48h);
    CHECK(parseDuration("0s") == 0ms);
    const auto* const text = GENERATE("", "5", "s", "-5s", "+5s", "5 s", "5.5s", "5S", "5y", "400d",
                                      "99999999999999999999s");
    CAPTURE(text);
    CHECK_FALSE(parseDuration(text));
}

TEST_CASE("sizes are in powers of 1024") {
    CHECK(parseSize("0") == 0U);
    CHECK(parseSize("512") == 512U);
    CHECK(parseSize("16KB") == 16'384U);
    CHECK(parseSize("3MB") == 3U << 20U);
    CHECK(parseSize("5GB") == 5ULL << 30U);
    const auto* const text =
        GENERATE("", "KB", "16kb", "16 KB", "-1", "1.5MB", "16K", "99999999TB");
    CAPTURE(text);
    CHECK_FALSE(parseSize(text));
}
