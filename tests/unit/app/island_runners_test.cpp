#include "app/config.h"
#include "app/island_runners.h"
#include "scratch.h"

#include <catch2/catch.hpp>

using namespace reef;
using namespace reef::app;

namespace {

IslandRunners runnersOf(const std::string& text) {
    const test::Scratch scratch;
    const auto config = parseConfig(text, "atoll.toml", scratch.path().string());
    REQUIRE(config);
    IslandRunner usual;
    usual.identity.user = 1;
    return {config->sites.front(), usual};
}

/// The users' numbers, in order.
std::string usersOf(const IslandRunners& runners, std::string_view script) {
    std::string users;
    for (const IslandRunner& each : runners.of(script))
        users += std::to_string(each.identity.user) + (each.isTheirOwn ? "! " : " ");
    return users;
}

std::string route(const std::string& lines) {
    return "[[route]]\n" + lines;
}

} // namespace

TEST_CASE("islands of which nothing is said have the usual runner") {
    const auto runners = runnersOf("");
    CHECK(usersOf(runners, "/cgi-bin/a.pl") == "1 ");
}

TEST_CASE("the last route that applies says who runs an island, and methods may differ") {
    const auto runners = runnersOf(route("path = \"/cgi-bin/*\"\nuser = \"40001\"\n") +
                                   route("path = \"*.pl\"\nuser = \"40002\"\n") +
                                   route("path = \"/cgi-bin/b.*\"\nmethod = \"POST\"\n"
                                         "user = \"40003\"\n"));
    CHECK(usersOf(runners, "/cgi-bin/a.sh") == "40001! ");
    CHECK(usersOf(runners, "/cgi-bin/a.pl") == "40002! 40001! "); // with path-info
    CHECK(usersOf(runners, "/cgi-bin/b.sh") == "40001! 40003! ");
    CHECK(usersOf(runners, "/a.sh") == "1 ");
}

TEST_CASE("behind a route that decides nobody comes") {
    const auto runners = runnersOf(route("path = \"/cgi-bin/a.sh*\"\nstatus = 410\n") +
                                   route("path = \"/cgi-bin/*\"\nuser = \"40001\"\n"));
    CHECK(usersOf(runners, "/cgi-bin/b.sh") == "40001! ");
    CHECK(usersOf(runners, "/cgi-bin/a.sh") == "1 ");
}
