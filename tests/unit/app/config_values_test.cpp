#include "app/config_values.h"

#include <catch2/catch.hpp>

using namespace reef::app;
using namespace std::chrono_literals;

TEST_CASE("rates are requests for a second, a minute or an hour") {
    const auto second = parseRate("50/s");
    REQUIRE(second);
    CHECK(second->count == 50);
    CHECK(second->period == 1s);
    CHECK(second->burst == 50);
    const auto hour = parseRate("1000/h");
    REQUIRE(hour);
    CHECK(hour->period == 1h);
    CHECK(hour->burst == 10);
    const auto* const text =
        GENERATE("", "10", "10/", "/s", "0/s", "10/d", "-1/s", "10/s ", "9999999/s");
    CAPTURE(text);
    CHECK_FALSE(parseRate(text));
}
