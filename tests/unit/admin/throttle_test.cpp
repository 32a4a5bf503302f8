#include "admin/throttle.h"

#include <catch2/catch.hpp>
#include <string>

using namespace reef::admin;
using namespace std::chrono_literals;

namespace {
constexpr Throttle::Time kStart{};
}

TEST_CASE("a few failures are free, then each doubles the wait up to a bound") {
    Throttle throttle;
    auto now = kStart;
    for (int i = 0; i < 5; ++i) {
        CHECK(throttle.waitFor("ada", now) == 0s);
        throttle.count("ada", now);
    }
    CHECK(throttle.waitFor("ada", now) == 0s);
    for (const auto wait : {1s, 2s, 4s, 8s, 16s, 32s, 60s, 60s}) {
        throttle.count("ada", now);
        CHECK(throttle.waitFor("ada", now) == wait);
        now += wait;
        CHECK(throttle.waitFor("ada", now) == 0s);
    }
    CHECK(throttle.waitFor("bob", now) == 0s);
}

TEST_CASE("success and time forgive") {
    Throttle throttle;
    for (int i = 0; i < 8; ++i)
        throttle.count("ada", kStart);
    throttle.forgive("ada");
    CHECK(throttle.waitFor("ada", kStart) == 0s);

    for (int i = 0; i < 8; ++i)
        throttle.count("ada", kStart);
    throttle.count("ada", kStart + 2h);
    CHECK(throttle.waitFor("ada", kStart + 2h) == 0s);
}

TEST_CASE("the table is bounded, and strangers do not push out who fails most") {
    ThrottleLimits limits;
    limits.keys = 10;
    Throttle throttle(limits);
    for (int i = 0; i < 8; ++i)
        throttle.count("ada", kStart);
    for (int i = 0; i < 1000; ++i)
        throttle.count("stranger" + std::to_string(i), kStart + 1ms);
    CHECK(throttle.size() == 10);
    CHECK(throttle.waitFor("ada", kStart) > 0s);
}

TEST_CASE("one subscriber's IPv6 addresses are one") {
    CHECK(addressKey("2001:db8:1:2:3::4") == addressKey("2001:db8:1:2:ffff::1"));
    CHECK(addressKey("2001:db8:1:2::1") != addressKey("2001:db8:1:3::1"));
    CHECK(addressKey("192.0.2.1") != addressKey("192.0.2.2"));
    CHECK(addressKey("::ffff:192.0.2.1") != addressKey("::ffff:198.51.100.1"));
    CHECK(addressKey("") == addressKey(""));
}
