#include "io/address.h"

#include <catch2/catch.hpp>

using namespace reef;

TEST_CASE("addresses are read in every form the configuration allows, and printed back") {
    const struct {
        const char* text;
        const char* described;
        const char* host;
        int port;
    } cases[] = {
        {"127.0.0.1:8080", "127.0.0.1:8080", "127.0.0.1", 8080},
        {"[::1]:80", "[::1]:80", "::1", 80},
        {":8080", "[::]:8080", "::", 8080},
        {"*:1", "[::]:1", "::", 1},
        {"8080", "[::]:8080", "::", 8080},
        {"0.0.0.0:0", "0.0.0.0:0", "0.0.0.0", 0},
        {"[2001:DB8::7]:65535", "[2001:db8::7]:65535", "2001:db8::7", 65535},
        {"unix:/run/atoll.sock", "unix:/run/atoll.sock", "/run/atoll.sock", 0},
    };
    for (const auto& one : cases) {
        INFO(one.text);
        const auto address = io::Address::parse(one.text);
        REQUIRE(address);
        CHECK(address->describe() == one.described);
        CHECK(address->host() == one.host);
        CHECK(address->port() == one.port);
    }
}

TEST_CASE("what is no address is refused") {
    for (const char* text :
         {"", "localhost:80", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:+1",
          "[::1:80", "::1]:80", "256.0.0.1:80", "unix:", "1.2.3.4:8 "}) {
        INFO(text);
        CHECK_FALSE(io::Address::parse(text));
    }
    CHECK_FALSE(io::Address::parse("unix:/" + std::string(200, 'x')));
}

TEST_CASE("loopback is known in all its forms") {
    for (const char* text :
         {"127.0.0.1:1", "127.9.9.9:1", "[::1]:1", "[::ffff:127.0.0.1]:1", "unix:/x"})
        CHECK(io::Address::parse(text)->isLoopback());
    for (const char* text :
         {"0.0.0.0:1", "192.0.2.1:1", "[::]:1", "[2001:db8::1]:1", "[::ffff:192.0.2.1]:1"})
        CHECK_FALSE(io::Address::parse(text)->isLoopback());
    CHECK(io::Address::parse("[::ffff:192.0.2.1]:1")->host() == "192.0.2.1");
}
