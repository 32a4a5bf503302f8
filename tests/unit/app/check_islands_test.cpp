#include "app/check_islands.h"
#include "app/config.h"
#include "app/server_user.h"
#include "scratch.h"

#include <catch2/catch.hpp>

using namespace reef;

namespace {

/// A user whom nothing belongs to.
process::Identity stranger() {
    process::Identity identity;
    identity.user = 54321;
    identity.group = 54321;
    identity.name = "stranger";
    return identity;
}

app::IslandRunners runBy(process::Identity identity) {
    return app::IslandRunners(app::IslandRunner{std::move(identity), false});
}

bool tells(const std::vector<std::string>& faults, std::string_view part) {
    for (const std::string& fault : faults)
        if (fault.find(part) != std::string::npos) return true;
    return false;
}

} // namespace

TEST_CASE("islands that work have no faults") {
    const test::Scratch scratch;
    std::filesystem::create_directories(scratch / "lib");
    scratch.file("clock.sh", "#!/bin/sh\n", 0755);
    scratch.file("lib/shop.sh", "#!/bin/sh\n", 0755);
    scratch.file("lib/helper.pm", "1;\n");
    scratch.file(".clock.sh.swp", "editor's");
    CHECK(app::faultsOfIslands({scratch.path().string()}, runBy(stranger())).empty());
    CHECK(app::faultsOfIslands({scratch / "none"}, runBy(stranger())).empty());
}

TEST_CASE("each thing that keeps an island from running is told, with its name") {
    const test::Scratch scratch;
    std::filesystem::create_directories(scratch / "lib");
    scratch.file("closed.sh", "#!/bin/sh\n", 0644);
    scratch.file("open.sh", "#!/bin/sh\n", 0777);
    scratch.file("windows.sh", "#!/bin/sh\r\n", 0755);
    scratch.file("lost.py", "#!/no/such/python\n", 0755);
    scratch.file("plain", "echo hello\n", 0755);
    scratch.file("mine.sh", "#!/bin/sh\n", 0700);
    scratch.file("unread.sh", "#!/bin/sh\n", 0711);
    scratch.file("lib/forgotten.sh", "#!/bin/sh\n", 0644);
    std::filesystem::create_symlink("nowhere", scratch / "dangling");
    const auto faults = app::faultsOfIslands({scratch.path().string()}, runBy(stranger()));
    for (const char* part :
         {"closed.sh is not executable", "open.sh can be changed by others",
          "windows.sh: its #! line ends in CR", "lost.py: its interpreter /no/such/python",
          "plain: it has no #! line", "mine.sh is closed to stranger", "unread.sh is closed to",
          "lib/forgotten.sh is not executable", "dangling: a link that leads nowhere"}) {
        INFO(part);
        CHECK(tells(faults, part));
    }
    CHECK(faults.size() == 9);
}

TEST_CASE("islands in a directory that their user may not enter are closed to it") {
    const test::Scratch scratch;
    std::filesystem::create_directories(scratch / "private");
    scratch.file("private/a.sh", "#!/bin/sh\n", 0755);
    std::filesystem::permissions(scratch / "private", std::filesystem::perms::owner_all);
    CHECK(tells(app::faultsOfIslands({scratch.path().string()}, runBy(stranger())),
                "closed to stranger"));
    CHECK(app::faultsOfIslands({scratch.path().string()}, runBy(app::ownIdentity())).empty());
}

TEST_CASE("files that an interpreter runs need to be read, and by nobody else written") {
    const test::Scratch scratch;
    scratch.file("a.py", "print()\n");
    scratch.file("open.py", "print()\n", 0666);
    scratch.file("mine.py", "print()\n", 0600);
    scratch.file("page.html", "<p>", 0666);
    gateway::Interpreters interpreters;
    interpreters.add(".py", "/usr/bin/python3");
    const auto scripts =
        app::faultsOfScripts({scratch.path().string()}, runBy(stranger()), interpreters);
    CHECK(scripts.size() == 2);
    CHECK(tells(scripts, "island open.py can be changed by others"));
    CHECK(tells(scripts, "island mine.py is closed to stranger"));
    CHECK(app::faultsOfScripts({scratch.path().string()}, runBy(stranger()), {}).empty());
    const auto islands =
        app::faultsOfIslands({scratch.path().string()}, runBy(stranger()), interpreters);
    CHECK_FALSE(tells(islands, "island a.py"));
    CHECK(tells(islands, "island open.py"));
    CHECK(tells(islands, "island page.html")); // all that lies there is to be run
}

TEST_CASE("a user that a route names is looked at for the islands of that route") {
    const test::Scratch scratch;
    scratch.file("shop.sh", "#!/bin/sh\n", 0700);
    scratch.file("other.sh", "#!/bin/sh\n", 0700);
    const auto config = app::parseConfig("[[route]]\npath = \"/cgi-bin/shop*\"\nuser = \"54321\"\n",
                                         "atoll.toml", scratch.path().string());
    REQUIRE(config);
    const app::IslandRunners runners(config->sites.front(), {app::ownIdentity(), false});
    const auto faults = app::faultsOfIslands({scratch.path().string(), "/cgi-bin/"}, runners);
    REQUIRE(faults.size() == 1);
    CHECK(tells(faults, "island shop.sh is closed to 54321"));
    std::filesystem::permissions(scratch / "shop.sh", std::filesystem::perms(0755));
    CHECK(app::faultsOfIslands({scratch.path().string(), "/cgi-bin/"}, runners).empty());
}
