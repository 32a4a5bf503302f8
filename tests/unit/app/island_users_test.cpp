#include "app/island_users.h"

#include <unistd.h>

#include <catch2/catch.hpp>

using namespace reef;
using app::KnownUser;

namespace {

app::Config configOf(const std::string& text) {
    auto config = app::parseConfig(text, "atoll.toml", "/srv/site");
    REQUIRE(config);
    return std::move(*config);
}

app::ServerUser usual() {
    app::ServerUser user;
    user.islands = process::Identity{33, 33, {33}, "usual"};
    return user;
}

} // namespace

TEST_CASE("a known user is a word of the command line, and back") {
    const KnownUser known{{"shop", "www"}, 3, 1001};
    const auto again = KnownUser::parse(known.describe());
    REQUIRE(again);
    CHECK(again->who == known.who);
    CHECK(again->index == 3);
    CHECK(again->user == 1001);
    CHECK_FALSE(KnownUser::parse("nonsense"));
    CHECK_FALSE(KnownUser::parse(""));
}

TEST_CASE("each user of the configuration is looked up once, and gets its place in the list") {
    const std::string text = "user = \"61984\"\n[[route]]\npath = \"/a\"\nuser = \"61985\"\n"
                             "[[route]]\npath = \"/b\"\nuser = \"61984\"\n";
    auto config = configOf(text);
    const auto users = app::findIslandUsers(config, usual());
    if (::geteuid() != 0) {
        REQUIRE_FALSE(users);
        CHECK(users.error().size() == 2);
        CHECK(users.error()[0].find("only root") != std::string::npos);
        return;
    }
    REQUIRE(users);
    REQUIRE(users->identities.size() == 3);
    CHECK(users->identities[0].user == 33);
    CHECK(users->identities[1].user == 61984);
    CHECK(users->identities[2].user == 61985);
    REQUIRE(app::assignIslandUsers(config, users->known));
    CHECK(config.islands.rules.identity == 1);
    CHECK(config.sites[0].routes[0].conduct.islandRules->identity == 2);
    CHECK(config.sites[0].routes[1].conduct.islandRules->identity == 1);
    CHECK(config.islands.foreignUsers);
}

TEST_CASE("a user that the keeper does not know takes a restart") {
    auto config = configOf("user = \"shop\"\n");
    const auto assigned = app::assignIslandUsers(config, {KnownUser{{}, 0, ::geteuid()}});
    REQUIRE_FALSE(assigned);
    CHECK(assigned.error().find("user shop") != std::string::npos);
    CHECK(assigned.error().find("takes a restart") != std::string::npos);
    CHECK_FALSE(config.islands.foreignUsers);
}

TEST_CASE("a user who does not exist is named") {
    const auto users = app::findIslandUsers(configOf("user = \"no-such-user-here\"\n"), {});
    REQUIRE_FALSE(users);
    CHECK(users.error()[0].find("no-such-user-here") != std::string::npos);
}

TEST_CASE("limits of islands are read, from the file, a site and a route") {
    const auto config = configOf(
        "island_idle_timeout = \"5s\"\n[island_limits]\ncpu = \"90s\"\nmemory = \"64MB\"\n"
        "files = \"unlimited\"\nnice = 5\n[[route]]\npath = \"/a\"\nisland_timeout = \"1h\"\n"
        "island_limits = { cpu = \"unlimited\" }\n");
    auto rules = config.islands.rules;
    CHECK(rules.idleTimeout == std::chrono::seconds(5));
    CHECK(rules.limits.cpuTime == std::chrono::seconds(90));
    CHECK(rules.limits.dataSize == 64_MiB);
    CHECK(rules.limits.nice == 5);
    CHECK(process::isUnlimited(*rules.limits.openFiles));
    rules.override(*config.sites[0].routes[0].conduct.islandRules);
    CHECK(rules.timeout == std::chrono::hours(1));
    CHECK(process::isUnlimited(*rules.limits.cpuTime));
    CHECK(rules.limits.dataSize == 64_MiB);
    CHECK(rules.limits.coreSize == 0U);
}

TEST_CASE("what is wrong about limits and users of islands is told with its place") {
    const auto errorOf = [](const std::string& text) {
        const auto config = app::parseConfig(text, "atoll.toml", "/srv/site");
        return config ? std::string() : config.error().front().describe();
    };
    CHECK(errorOf("group = \"x\"\n").find("whose group?") != std::string::npos);
    CHECK(errorOf("user = \"\"\n").find("name or number") != std::string::npos);
    CHECK(errorOf("[island_limits]\ncpu = \"500ms\"\n").find("at least \"1s\"") !=
          std::string::npos);
    CHECK(errorOf("[island_limits]\nmemory = 5\n").find("atoll.toml:2:") == 0);
    CHECK(errorOf("[island_limits]\nnice = 20\n").find("from -20") != std::string::npos);
    CHECK(errorOf("[island_limits]\nfiles = 3\n").find("from 16") != std::string::npos);
    CHECK(errorOf("[island_limits]\nmemmory = \"1MB\"\n").find("did you mean `memory`?") !=
          std::string::npos);
}
