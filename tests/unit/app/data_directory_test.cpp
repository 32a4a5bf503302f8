#include "app/data_directory.h"
#include "app/server_user.h"
#include "scratch.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>

using namespace reef;

TEST_CASE("the directory of data is closed to others and belongs to the server's user") {
    const test::Scratch scratch;
    const auto data = scratch / "data";
    const auto user = app::ownIdentity();
    CHECK(app::makeDataDirectory(data, user));
    CHECK(app::makeDataDirectory(data, user)); // it is there already
    struct stat status{};
    REQUIRE(::stat(data.c_str(), &status) == 0);
    CHECK((status.st_mode & 0777) == 0700);
    CHECK(status.st_uid == ::geteuid());
    if (::geteuid() != 0) return;
    process::Identity other;
    other.user = 54321;
    other.group = 54321;
    CHECK(app::makeDataDirectory(data, other));
    REQUIRE(::stat(data.c_str(), &status) == 0);
    CHECK(status.st_uid == 54321);
}

TEST_CASE("files of the server's former user become the new one's, but no file that is linked") {
    if (::geteuid() != 0) return;
    const test::Scratch scratch;
    const auto data = scratch / "data";
    const process::Identity former{54321, 54321, {54321}, "former"};
    const process::Identity fresh{54322, 54322, {54322}, "fresh"};
    REQUIRE(app::makeDataDirectory(data, former));
    const auto ownerOf = [&](const std::string& name) {
        struct stat status{};
        REQUIRE(::stat((data + "/" + name).c_str(), &status) == 0);
        return status.st_uid;
    };
    for (const char* name : {"mine", "roots", "linked"})
        scratch.file(std::string("data/") + name, "x");
    scratch.file("elsewhere", "x");
    for (const char* name : {"data/mine", "data/linked", "elsewhere"})
        REQUIRE(::chown((scratch / name).c_str(), 54321, 54321) == 0);
    REQUIRE(::link((data + "/linked").c_str(), (scratch / "again").c_str()) == 0);
    REQUIRE(::symlink((scratch / "elsewhere").c_str(), (data + "/symbolic").c_str()) == 0);
    REQUIRE(app::makeDataDirectory(data, fresh));
    CHECK(ownerOf("mine") == 54322);
    CHECK(ownerOf("roots") == 0);
    CHECK(ownerOf("linked") == 54321);
    CHECK(ownerOf("symbolic") == 54321); // what it points to
}

TEST_CASE("a directory that is open to others is closed, once") {
    if (::geteuid() != 0) return; // others have no islands of another user
    const test::Scratch scratch;
    const auto data = scratch / "data";
    const auto opened = app::makeDataDirectory(data, std::nullopt);
    REQUIRE(opened);
    std::filesystem::permissions(data, std::filesystem::perms(0755));
    CHECK(app::closeDataDirectory(*opened, data).value());
    CHECK(std::filesystem::status(data).permissions() == std::filesystem::perms(0700));
    CHECK_FALSE(app::closeDataDirectory(*opened, data).value());
}

TEST_CASE("root gives away and closes nothing that a link in place of the directory points to") {
    if (::geteuid() != 0) return;
    const test::Scratch scratch;
    const auto data = scratch / "data";
    const auto elsewhere = scratch / "elsewhere";
    std::filesystem::create_directory(elsewhere);
    std::filesystem::permissions(elsewhere, std::filesystem::perms(0755));
    REQUIRE(::symlink(elsewhere.c_str(), data.c_str()) == 0);
    const process::Identity other{54321, 54321, {54321}, "other"};
    for (const auto& user : {std::optional(other), std::optional<process::Identity>()}) {
        const auto made = app::makeDataDirectory(data, user);
        REQUIRE_FALSE(made);
        CHECK(made.error().find(data + " is a symbolic link") == 0);
    }
    struct stat status{};
    REQUIRE(::stat(elsewhere.c_str(), &status) == 0);
    CHECK(status.st_uid == 0);
    CHECK((status.st_mode & 0777) == 0755);
}

TEST_CASE("root follows no link in place of the site's directory, and uses no file as one") {
    if (::geteuid() != 0) return;
    const test::Scratch scratch;
    std::filesystem::create_directory(scratch / "site");
    REQUIRE(::symlink((scratch / "site").c_str(), (scratch / "link").c_str()) == 0);
    CHECK_FALSE(app::makeDataDirectory(scratch / "link/data", std::nullopt));
    CHECK_FALSE(std::filesystem::exists(scratch / "site/data"));
    scratch.file("site/data", "x");
    const auto made = app::makeDataDirectory(scratch / "site/data", std::nullopt);
    REQUIRE_FALSE(made);
    CHECK(made.error().find("Not a directory") != std::string::npos);
}

TEST_CASE("a directory of data that cannot be made is told") {
    const test::Scratch scratch;
    const auto made = app::makeDataDirectory(scratch / "none/data", std::nullopt);
    REQUIRE_FALSE(made);
    CHECK(made.error().find("none/data: No such file or directory") != std::string::npos);
}

TEST_CASE("a site of an ordinary user is served as that user") {
    if (::geteuid() != 0) return;
    const test::Scratch scratch;
    REQUIRE(::chown(scratch.path().c_str(), 54321, 54321) == 0);
    const auto user = app::serverUser(scratch.path().string());
    REQUIRE(user.identity);
    CHECK(user.identity->user == 54321);
    CHECK(user.whyRoot.empty());
}

TEST_CASE("a site that nobody else may enter is served by root, and that is said") {
    if (::geteuid() != 0) return;
    const test::Scratch scratch;
    ::chmod(scratch.path().c_str(), 0700);
    const auto user = app::serverUser(scratch.path().string());
    CHECK_FALSE(user.identity);
    CHECK(user.whyRoot.find("run as root") != std::string::npos);
    ::chmod(scratch.path().c_str(), 0755);
    CHECK(app::serverUser(scratch.path().string()).identity);
}
