#include "app/data_directory.h"
#include "app/server_user.h"
#include "scratch.h"

#include <unistd.h>

#include <catch2/catch.hpp>

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
