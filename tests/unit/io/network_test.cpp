#include "io/network.h"

#include <catch2/catch.hpp>
#include <string>

using namespace reef;
using namespace reef::io;

namespace {

bool contains(std::string_view network, std::string_view host) {
    const auto parsed = Network::parse(network);
    REQUIRE(parsed);
    const auto bits = parseHost(host);
    REQUIRE(bits);
    return parsed->contains(*bits);
}

} // namespace

TEST_CASE("a network contains the addresses that share its prefix") {
    CHECK(contains("192.0.2.0/24", "192.0.2.255"));
    CHECK_FALSE(contains("192.0.2.0/24", "192.0.3.0"));
    CHECK(contains("192.0.2.128/25", "192.0.2.128"));
    CHECK_FALSE(contains("192.0.2.128/25", "192.0.2.127"));
    CHECK(contains("192.0.2.7", "192.0.2.7"));
    CHECK_FALSE(contains("192.0.2.7", "192.0.2.6"));
    CHECK(contains("0.0.0.0/0", "203.0.113.9"));
    CHECK(contains("2001:db8::/33", "2001:db8:7fff::1"));
    CHECK_FALSE(contains("2001:db8::/33", "2001:db8:8000::1"));
    CHECK(contains("::/0", "2001:db8::1"));
}

TEST_CASE("an IPv4 address is the same host when it comes mapped into IPv6") {
    CHECK(contains("192.0.2.0/24", "::ffff:192.0.2.9"));
    CHECK(contains("::ffff:192.0.2.0/120", "192.0.2.9"));
    CHECK_FALSE(contains("0.0.0.0/0", "2001:db8::1"));
}

TEST_CASE("what is no network is refused") {
    const auto* const text =
        GENERATE("", "/", "192.0.2", "192.0.2.0/33", "192.0.2.1/24", "::1/129", "::1/", "::1/64",
                 "localhost", "[::1]", "192.0.2.0/-1", "192.0.2.0/+8", "1.2.3.4 ");
    CAPTURE(text);
    CHECK_FALSE(Network::parse(text));
}

TEST_CASE("limits count an IPv4 client by its address and an IPv6 client by its /64") {
    CHECK(customerOf(*parseHost("192.0.2.7")) != customerOf(*parseHost("192.0.2.8")));
    CHECK(customerOf(*parseHost("2001:db8::1")) == customerOf(*parseHost("2001:db8::ffff:1")));
    CHECK(customerOf(*parseHost("2001:db8:0:1::1")) != customerOf(*parseHost("2001:db8:0:2::1")));
}

TEST_CASE("a socket address knows its host, and a unix socket has none") {
    CHECK(hostOf(*Address::parse("192.0.2.7:80")) == parseHost("192.0.2.7"));
    CHECK(hostOf(*Address::parse("[2001:db8::1]:80")) == parseHost("2001:db8::1"));
    CHECK_FALSE(hostOf(*Address::parse("unix:/run/x")));
}
