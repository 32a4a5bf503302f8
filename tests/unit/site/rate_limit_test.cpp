#include "site/rate_limit.h"

#include <catch2/catch.hpp>
#include <string>
#include <thread>
#include <vector>

using namespace reef;
using namespace std::chrono_literals;
using site::Rate;
using site::RateLimit;

namespace {

const io::HostBits kAnna = *io::parseHost("192.0.2.1");
const io::HostBits kBert = *io::parseHost("192.0.2.2");

Rate rateOf(std::uint32_t count, std::chrono::milliseconds period, std::uint32_t burst) {
    Rate rate;
    rate.count = count;
    rate.period = period;
    rate.burst = burst;
    return rate;
}

} // namespace

TEST_CASE("a client may make its burst at once, and then as many as the rate says") {
    RateLimit limit(rateOf(10, 1s, 3));
    auto now = RateLimit::Clock::now();
    for (int i = 0; i != 3; ++i)
        CHECK_FALSE(limit.admit(kAnna, now));
    const auto wait = limit.admit(kAnna, now);
    REQUIRE(wait);
    CHECK(*wait == 100ms);
    CHECK_FALSE(limit.admit(kAnna, now + 100ms));
    CHECK(limit.admit(kAnna, now + 100ms));
}

TEST_CASE("a refused request costs nothing, and a rest gives the burst back") {
    RateLimit limit(rateOf(1, 1s, 2));
    const auto now = RateLimit::Clock::now();
    CHECK_FALSE(limit.admit(kAnna, now));
    CHECK_FALSE(limit.admit(kAnna, now));
    for (int i = 0; i != 100; ++i)
        CHECK(limit.admit(kAnna, now));
    CHECK_FALSE(limit.admit(kAnna, now + 1s));
    CHECK(limit.admit(kAnna, now + 1s));
    CHECK_FALSE(limit.admit(kAnna, now + 1h));
    CHECK_FALSE(limit.admit(kAnna, now + 1h));
    CHECK(limit.admit(kAnna, now + 1h));
}

TEST_CASE("clients do not share a rate, addresses of one IPv6 customer do") {
    RateLimit limit(rateOf(1, 1s, 1));
    const auto now = RateLimit::Clock::now();
    CHECK_FALSE(limit.admit(kAnna, now));
    CHECK_FALSE(limit.admit(kBert, now));
    CHECK_FALSE(limit.admit(*io::parseHost("2001:db8::1"), now));
    CHECK(limit.admit(*io::parseHost("2001:db8::2"), now));
    CHECK_FALSE(limit.admit(*io::parseHost("2001:db8:0:1::2"), now));
}

TEST_CASE("more clients than cells are let in rather than locked out") {
    RateLimit limit(rateOf(1, 1h, 1));
    const auto now = RateLimit::Clock::now();
    int refused = 0;
    for (unsigned i = 0; i != 4 * RateLimit::kCells; ++i) {
        const auto host =
            io::parseHost("10." + std::to_string(i >> 16U) + '.' + std::to_string(i >> 8U & 255U) +
                          '.' + std::to_string(i & 255U));
        refused += limit.admit(*host, now) ? 1 : 0;
    }
    CHECK(refused < 100);
}

TEST_CASE("requests of one client on several threads are counted once each") {
    RateLimit limit(rateOf(1, 1min, 1000));
    const auto now = RateLimit::Clock::now();
    std::atomic<int> admitted = 0;
    {
        std::vector<std::jthread> threads;
        for (int t = 0; t != 4; ++t)
            threads.emplace_back([&] {
                for (int i = 0; i != 500; ++i)
                    if (!limit.admit(kAnna, now)) ++admitted;
            });
    }
    CHECK(admitted == 1000);
}
