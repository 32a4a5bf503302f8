#include "scratch.h"
#include "site/sendable_files.h"

#include <catch2/catch.hpp>
#include <filesystem>

using namespace reef;
namespace fs = std::filesystem;

namespace {

struct Fixture {
    Fixture() {
        for (const char* name : {"docs/sub", "docs/private", "files", "outside"})
            fs::create_directories(top / name);
        for (const char* name :
             {"docs/a.txt", "docs/sub/b.txt", "docs/private/c.txt", "docs/.hidden",
              "docs/secret.txt", "docs/secret.txt2", "files/d.bin", "outside/e.txt"})
            test::writeContent(top / name, name);
        fs::create_symlink(top / "outside/e.txt", top / "docs/out");
        fs::create_symlink("private/c.txt", top / "docs/in");
        fs::create_symlink(top / "files", top / "alias");
        REQUIRE(sendable.add((top / "docs").string(), io::Links::followed));
        REQUIRE(sendable.add((top / "alias").string(), io::Links::followed));
        sendable.exclude((top / "docs/private").string());
        sendable.exclude((top / "docs/secret.txt").string());
        sendable.exclude((top / "alias/later").string()); // not there yet, and behind a link
    }

    int statusOf(const std::string& name) const {
        const auto file = sendable.open(name);
        return file ? 200 : file.error().status;
    }

    test::Scratch scratch;
    fs::path top = scratch.path();
    site::SendableFiles sendable;
};

} // namespace

TEST_CASE_METHOD(Fixture, "files in the given directories may be sent, by either of their names") {
    for (const char* name : {"docs/a.txt", "docs/sub/b.txt", "alias/d.bin", "files/d.bin"}) {
        INFO(name);
        CHECK(statusOf((top / name).string()) == 200);
    }
}

TEST_CASE_METHOD(Fixture,
                 "what lies outside, or is kept out, is refused, links and dots included") {
    for (const char* name : {"outside/e.txt", "docs/../outside/e.txt", "docs/private/c.txt",
                             "docs/sub/../private/c.txt", "docs/in"}) {
        INFO(name);
        CHECK(statusOf((top / name).string()) >= 404);
    }
    CHECK(statusOf((top / "outside/e.txt").string()) == 502);
    CHECK(statusOf((top / "docs/private/c.txt").string()) == 502);
    CHECK(statusOf((top / "docs/out").string()) == 404);
    for (const char* name : {"", "docs/a.txt", "/", "/etc/passwd", "/proc/self/environ"})
        CHECK(statusOf(name) == 502);
    const auto sibling = (top / "docs").string() + "ument/a.txt";
    CHECK(statusOf(sibling) == 502);
}

TEST_CASE_METHOD(Fixture, "a single file can be kept out, and what comes later") {
    CHECK(statusOf((top / "docs/secret.txt").string()) == 502);
    CHECK(statusOf((top / "docs/secret.txt2").string()) == 200);
    CHECK(statusOf((top / "files/later/f.txt").string()) == 404);
    fs::create_directories(top / "files/later");
    test::writeContent(top / "files/later/f.txt", "late");
    CHECK(statusOf((top / "files/later/f.txt").string()) == 502);
    CHECK(statusOf((top / "alias/later/f.txt").string()) == 502);
}

TEST_CASE_METHOD(Fixture, "what is not there, hidden, or a directory is not found") {
    for (const char* name :
         {"docs/none", "docs/.hidden", "docs/sub/../a.txt", "docs/sub", "docs/sub/", "docs/"}) {
        INFO(name);
        CHECK(statusOf((top / name).string()) == 404);
    }
}

TEST_CASE("a directory that is not there cannot be added") {
    site::SendableFiles sendable;
    CHECK(sendable.add("/no/such/directory", io::Links::followed)
              .error()
              .find("/no/such/directory") != std::string::npos);
}
