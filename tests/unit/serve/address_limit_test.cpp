#include "serve/address_limit.h"

#include <catch2/catch.hpp>
#include <thread>
#include <vector>

using namespace reef;
using serve::AddressLimit;

namespace {
io::HostBits host(const char* text) {
    return io::parseHost(text).value();
}
} // namespace

TEST_CASE("a client has no more places than it may, and gets them back") {
    AddressLimit limit;
    auto one = limit.enter(host("192.0.2.7"), 2);
    auto two = limit.enter(host("192.0.2.7"), 2);
    CHECK(one);
    CHECK(two);
    CHECK_FALSE(limit.enter(host("192.0.2.7"), 2));
    CHECK(limit.enter(host("192.0.2.8"), 2));
    one.reset();
    const auto moved = std::move(*two);
    CHECK(limit.enter(host("192.0.2.7"), 2));
    const auto three = limit.enter(host("192.0.2.7"), 2);
    CHECK(three);
    CHECK_FALSE(limit.enter(host("192.0.2.7"), 2));
    CHECK_FALSE(limit.enter(host("192.0.2.9"), 0));
}

TEST_CASE("a network of IPv6 counts as one client") {
    AddressLimit limit;
    const auto one = limit.enter(host("2001:db8:0:1::1"), 1);
    CHECK_FALSE(limit.enter(host("2001:db8:0:1:ffff::2"), 1));
    CHECK(limit.enter(host("2001:db8:0:2::1"), 1));
    CHECK(limit.enter(host("::ffff:192.0.2.7"), 1));
}

TEST_CASE("loops share one count") {
    AddressLimit limit;
    std::vector<std::thread> loops;
    for (int i = 0; i < 4; ++i) {
        loops.emplace_back([&limit] {
            for (int n = 0; n < 1000; ++n)
                static_cast<void>(limit.enter(host("192.0.2.7"), 2));
        });
    }
    for (auto& loop : loops)
        loop.join();
    const auto one = limit.enter(host("192.0.2.7"), 2);
    const auto two = limit.enter(host("192.0.2.7"), 2);
    CHECK(one);
    CHECK(two);
    CHECK_FALSE(limit.enter(host("192.0.2.7"), 2));
}
