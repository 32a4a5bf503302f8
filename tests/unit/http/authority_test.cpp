#include "http/authority.h"

#include <catch2/catch.hpp>
#include <string>

using namespace reef;
using namespace reef::http;

TEST_CASE("a host comes in lower case, without port and without its final dot") {
    struct {
        const char* authority;
        const char* host;
        const char* port;
    } const cases[] = {
        {"a", "a", ""},
        {"Example.ORG", "example.org", ""},
        {"example.org:8080", "example.org", "8080"},
        {"example.org:", "example.org", ""},
        {"example.org:65535", "example.org", "65535"},
        {"example.org.", "example.org", ""},
        {"example.org.:80", "example.org", "80"},
        {"under_score.example", "under_score.example", ""},
        {"192.0.2.1:1", "192.0.2.1", "1"},
        {"[::1]", "[::1]", ""},
        {"[2001:DB8::A]:443", "[2001:db8::a]", "443"},
        {"[::ffff:192.0.2.1]", "[::ffff:192.0.2.1]", ""},
        {"xn--bcher-kva.example", "xn--bcher-kva.example", ""},
    };
    for (const auto& c : cases) {
        Arena arena;
        INFO(c.authority);
        CHECK(hostOf(c.authority, arena) == c.host);
        CHECK(portOf(c.authority) == c.port);
    }
}

TEST_CASE("what two servers could read as different hosts is refused") {
    Arena arena;
    for (const char* authority :
         {"",     ".",           "..",      "a..b",         ".a",        "a..",    ":80",   "a:b",
          "a:-1", "a:+1",        "a:65536", "a:000080",     "a:80:80",   "a:80 ",  "a b",   "a,b",
          "a/b",  "a\\b",        "a?b",     "a#b",          "u@a",       "u:p@a",  "a%2eb", "a%00",
          "a\tb", "caf\xc3\xa9", "a;b",     "a'b",          "[",         "[]",     "[:]",   "[::1",
          "::1",  "[::1]x",      "[::1]:x", "[::1%25eth0]", "[1.2.3.4]", "[v1.x]", "[::g]", "a]",
          "*"}) {
        INFO(authority);
        CHECK_FALSE(hostOf(authority, arena));
    }
    CHECK(hostOf(std::string(255, 'a'), arena));
    CHECK_FALSE(hostOf(std::string(256, 'a'), arena));
    CHECK_FALSE(hostOf(std::string_view("a\0b", 3), arena));
}
