#include "site/access_rules.h"

#include <catch2/catch.hpp>

using namespace reef;

namespace {

site::AccessRules rules(std::vector<const char*> allow, std::vector<const char*> deny) {
    site::AccessRules made;
    for (const auto* text : allow)
        made.allow.push_back(io::Network::parse(text).value());
    for (const auto* text : deny)
        made.deny.push_back(io::Network::parse(text).value());
    return made;
}

} // namespace

TEST_CASE("deny takes away from allow, and no allow means everywhere") {
    CHECK(rules({}, {}).admit("192.0.2.7"));
    CHECK(rules({}, {"192.0.2.0/24"}).admit("198.51.100.1"));
    CHECK_FALSE(rules({}, {"192.0.2.0/24"}).admit("192.0.2.7"));
    CHECK(rules({"192.0.2.0/24"}, {"192.0.2.66"}).admit("192.0.2.7"));
    CHECK_FALSE(rules({"192.0.2.0/24"}, {"192.0.2.66"}).admit("192.0.2.66"));
    CHECK_FALSE(rules({"192.0.2.0/24"}, {}).admit("198.51.100.1"));
    CHECK_FALSE(rules({"192.0.2.0/24"}, {}).admit("2001:db8::1"));
}

TEST_CASE("clients of a unix socket have no address, and only pass where no network is asked for") {
    CHECK(rules({}, {"0.0.0.0/0", "::/0"}).admit(""));
    CHECK_FALSE(rules({"127.0.0.1"}, {}).admit(""));
}
