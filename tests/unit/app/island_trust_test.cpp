#include "app/island_trust.h"
#include "scratch.h"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>

using namespace reef;
using app::Authorship;

namespace {

constexpr uid_t kOwner = 54321;

app::Config configOf(const std::string& text) {
    auto config = app::parseConfig(text, "atoll.toml", "/srv/site");
    REQUIRE(config);
    return std::move(*config);
}

Authorship ofOwner() {
    return {false, kOwner, "/srv/site belongs to user 54321"};
}

app::ServerUser apart() {
    app::ServerUser user;
    user.identity = process::Identity{54321, 54321, {54321}, "server"};
    user.islands = process::Identity{54322, 54322, {54322}, "islands"};
    return user;
}

} // namespace

TEST_CASE("a file that is root's in root's directory may name anybody") {
    if (::geteuid() != 0) return;
    const test::Scratch scratch;
    CHECK(Authorship::of(scratch.path().string()).isRoots); // without a file, too
    scratch.file("atoll.toml", "");
    const auto author = Authorship::of(scratch.path().string());
    CHECK(author.isRoots);
    CHECK(app::faultsOfAuthorship(configOf("user = \"root\"\n"), author).empty());
}

TEST_CASE("whoever owns the file or the directory could have written the file") {
    if (::geteuid() != 0) return;
    const test::Scratch scratch;
    const auto directory = scratch.path().string();
    const auto file = scratch.file("atoll.toml", "");
    for (const auto& name : {file, directory}) {
        REQUIRE(::chown(name.c_str(), kOwner, kOwner) == 0);
        const auto author = Authorship::of(directory);
        CHECK_FALSE(author.isRoots);
        CHECK(author.user == kOwner);
        CHECK(author.why == name + " belongs to user 54321");
        REQUIRE(::chown(name.c_str(), 0, 0) == 0);
    }
}

TEST_CASE("so could a group or everybody who may write there, but root's own group is root") {
    if (::geteuid() != 0) return;
    const test::Scratch scratch;
    const auto directory = scratch.path().string();
    const auto file = scratch.file("atoll.toml", "");
    struct Case {
        std::string name;
        gid_t group;
        mode_t mode;
        bool isRoots;
    };
    for (const Case& each :
         {Case{file, 0, 0664, true}, Case{file, kOwner, 0664, false}, Case{file, 0, 0646, false},
          Case{file, kOwner, 0644, true}, Case{directory, kOwner, 0775, false},
          Case{directory, 0, 01777, false}}) {
        CAPTURE(each.name, each.group, each.mode);
        REQUIRE(::chown(each.name.c_str(), 0, each.group) == 0);
        REQUIRE(::chmod(each.name.c_str(), each.mode) == 0);
        const auto author = Authorship::of(directory);
        CHECK(author.isRoots == each.isRoots);
        CHECK_FALSE(author.user);
        REQUIRE(::chown(each.name.c_str(), 0, 0) == 0);
        REQUIRE(::chmod(each.name.c_str(), each.name == file ? 0644 : 0755) == 0);
    }
}

TEST_CASE("behind a symbolic link, its target and the directory of that count") {
    if (::geteuid() != 0) return;
    const test::Scratch site;
    const test::Scratch elsewhere;
    const auto target = elsewhere.file("shop.toml", "");
    REQUIRE(::symlink(target.c_str(), (site / "atoll.toml").c_str()) == 0);
    CHECK(Authorship::of(site.path().string()).isRoots);
    REQUIRE(::chown(elsewhere.path().c_str(), kOwner, kOwner) == 0);
    CHECK(Authorship::of(site.path().string()).user == kOwner);
    REQUIRE(::chown(elsewhere.path().c_str(), 0, 0) == 0);
    REQUIRE(::chown(target.c_str(), kOwner, kOwner) == 0);
    CHECK(Authorship::of(site.path().string()).user == kOwner);
}

TEST_CASE("a file that is not root's names its owner alone, with a group of the owner's") {
    const auto count = [](const std::string& text) {
        return app::faultsOfAuthorship(configOf(text), ofOwner()).size();
    };
    CHECK(count("") == 0);
    CHECK(count("user = \"54321\"\n") == 0);
    CHECK(count("user = \"54321\"\ngroup = \"54321\"\n") == 0);
    CHECK(count("user = \"54321\"\ngroup = \"0\"\n") == 1);
    CHECK(count("user = \"0\"\n") == 1);
    CHECK(count("user = \"54322\"\n") == 1);
    CHECK(count("user = \"54321\"\n[[route]]\npath = \"/a\"\nuser = \"0\"\n"
                "[[site]]\nhosts = [\"b\"]\nuser = \"54322\"\n[[site.route]]\npath = "
                "\"/c\"\nstatus = 404\n") == 2);
}

TEST_CASE("the refusal says who, why, and what was expected") {
    const auto config = configOf("user = \"0\"\ngroup = \"0\"\n");
    const auto faults = app::faultsOfAuthorship(config, ofOwner());
    REQUIRE(faults.size() == 1);
    CHECK(faults[0] ==
          "islands are to run as user 0 with group 0, but an island could have written "
          "that: /srv/site belongs to user 54321. Expected user 54321 with a group of "
          "that user's, or that /srv/site and /srv/site/atoll.toml belong to root and "
          "nobody else may write to them");
}

TEST_CASE("what a group could have written names nobody, except whom the server is anyway") {
    const Authorship group{false, std::nullopt, "/srv/site can be written by others than root"};
    const auto config = configOf("user = \"54321\"\n");
    CHECK(app::faultsOfAuthorship(config, group).size() == 1);
    CHECK(app::faultsOfAuthorship(config, group, 54322).size() == 1);
    CHECK(app::faultsOfAuthorship(config, group, 54321).empty());
}

TEST_CASE("islands are not the server's user where the two are apart") {
    CHECK(app::faultsOfSharing(configOf("user = \"54322\"\n"), apart()).empty());
    const auto faults = app::faultsOfSharing(
        configOf("[[route]]\npath = \"/a\"\nuser = \"54321\"\ngroup = \"54322\"\n"), apart());
    REQUIRE(faults.size() == 1);
    CHECK(faults[0].find("user 54321, who the server itself runs as") != std::string::npos);
    auto same = apart();
    same.islands = same.identity; // the owner of the site's directory is both
    CHECK(app::faultsOfSharing(configOf("user = \"54321\"\n"), same).empty());
}
