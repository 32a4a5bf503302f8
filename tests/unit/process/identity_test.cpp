#include "process/identity.h"

#include <algorithm>
#include <catch2/catch.hpp>

using reef::Error;
using reef::process::findIdentity;

TEST_CASE("a user is found by name, with group and supplementary groups") {
    const auto root = findIdentity("root");
    REQUIRE(root);
    CHECK(root->user == 0);
    CHECK(root->group == 0);
    CHECK(root->name == "root");
    CHECK(std::ranges::find(root->groups, gid_t{0}) != root->groups.end());
}

TEST_CASE("a user is found by number") {
    const auto root = findIdentity("0");
    REQUIRE(root);
    CHECK(root->name == "root");
    const auto nobodyKnows = findIdentity("3999999999");
    REQUIRE(nobodyKnows);
    CHECK(nobodyKnows->user == 3999999999U);
    CHECK(nobodyKnows->group == 3999999999U);
    CHECK(nobodyKnows->groups == std::vector<gid_t>{3999999999U});
}

TEST_CASE("a group may be named beside the user") {
    const auto identity = findIdentity("root", "7");
    REQUIRE(identity);
    CHECK(identity->group == 7);
    CHECK(std::ranges::find(identity->groups, gid_t{7}) != identity->groups.end());
}

TEST_CASE("unknown names, and the number that means 'unchanged' to the kernel, are not found") {
    for (const char* user : {"no-such-user-here", "", "-1", "4294967295", "99999999999999999999"})
        CHECK(findIdentity(user).error() == Error::notFound);
    CHECK(findIdentity("root", "no-such-group-here").error() == Error::notFound);
}
