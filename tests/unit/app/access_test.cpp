#include "app/access.h"
#include "scratch.h"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>

using namespace reef;

namespace {

process::Identity stranger() {
    process::Identity identity;
    identity.user = 54321;
    identity.group = 54321;
    return identity;
}

} // namespace

TEST_CASE("a directory can be entered when every one above it can") {
    test::Scratch scratch;
    const auto inner = scratch.path() / "a" / "b";
    std::filesystem::create_directories(inner);
    const auto open = [&](mode_t top, mode_t bottom) {
        ::chmod((scratch.path() / "a").c_str(), top);
        ::chmod(inner.c_str(), bottom);
    };
    ::chmod(scratch.path().c_str(), 0755);
    open(0755, 0755);
    CHECK(app::mayEnter(stranger(), inner.string()));
    open(0711, 0711); // to search is enough
    CHECK(app::mayEnter(stranger(), inner.string()));
    open(0755, 0700);
    CHECK_FALSE(app::mayEnter(stranger(), inner.string()));
    open(0700, 0755);
    CHECK_FALSE(app::mayEnter(stranger(), inner.string()));
    CHECK(app::mayEnter({}, inner.string())); // root may all
    CHECK_FALSE(app::mayEnter(stranger(), (scratch.path() / "none").string()));
}

TEST_CASE("owner and group count before the others") {
    test::Scratch scratch;
    struct stat status{};
    ::stat(scratch.path().c_str(), &status);
    auto owner = stranger();
    owner.user = status.st_uid == 0 ? 54321 : status.st_uid;
    auto member = stranger();
    member.groups = {status.st_gid};
    ::chmod(scratch.path().c_str(), 0750);
    CHECK(app::mayEnter(member, scratch.path().string()));
    CHECK_FALSE(app::mayEnter(stranger(), scratch.path().string()));
    ::chmod(scratch.path().c_str(), 0705); // a group that is shut out, though others are not
    CHECK_FALSE(app::mayEnter(member, scratch.path().string()));
    CHECK(app::mayEnter(stranger(), scratch.path().string()));
    if (owner.user == status.st_uid) {
        ::chmod(scratch.path().c_str(), 0077);
        CHECK_FALSE(app::mayEnter(owner, scratch.path().string()));
        ::chmod(scratch.path().c_str(), 0700);
    }
}
