#include "gateway/island_directory.h"
#include "scratch.h"

#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <filesystem>

using namespace reef;
namespace fs = std::filesystem;

namespace {

struct Fixture {
    Fixture() { fs::create_directories(scratch.path() / "islands" / "sub"); }

    void put(const std::string& name, unsigned mode) {
        const auto file = scratch.path() / "islands" / name;
        test::writeContent(file, "#!/bin/sh\n");
        REQUIRE(::chmod(file.c_str(), mode) == 0);
    }

    gateway::IslandDirectory open() const {
        return gateway::IslandDirectory::open((scratch.path() / "islands").string(), "/cgi-bin/")
            .value();
    }

    test::Scratch scratch;
};

} // namespace

TEST_CASE_METHOD(Fixture, "the first file of a path is the island, the rest its path info") {
    put("form", 0755);
    put("sub/deep.sh", 0700);
    const auto islands = open();
    struct Case {
        const char* path;
        const char* name;
        const char* pathInfo;
    };
    for (const Case c : {Case{"/cgi-bin/form", "form", ""}, Case{"/cgi-bin/form/", "form", "/"},
                         Case{"/cgi-bin/form/a/b", "form", "/a/b"},
                         Case{"/cgi-bin/sub/deep.sh", "sub/deep.sh", ""},
                         Case{"/cgi-bin/sub/deep.sh/x", "sub/deep.sh", "/x"}}) {
        INFO(c.path);
        const auto island = islands.find(c.path);
        REQUIRE(island);
        CHECK(island->name == c.name);
        CHECK(island->pathInfo == c.pathInfo);
        CHECK(island->scriptName == "/cgi-bin/" + std::string(c.name));
        CHECK(island->file == (scratch.path() / "islands" / c.name).string());
    }
}

TEST_CASE_METHOD(Fixture, "what others may change, or nobody may run, is refused with advice") {
    put("plain", 0644);
    put("group", 0775);
    put("world", 0757);
    put("both", 0666);
    const auto islands = open();
    struct Case {
        const char* path;
        const char* advice;
    };
    for (const Case c : {Case{"/cgi-bin/plain", "chmod +x"}, Case{"/cgi-bin/group", "chmod go-w"},
                         Case{"/cgi-bin/world", "chmod go-w"}, Case{"/cgi-bin/both", "chmod go-w"},
                         Case{"/cgi-bin/plain/info", "chmod +x"}}) {
        INFO(c.path);
        const auto island = islands.find(c.path);
        REQUIRE_FALSE(island);
        CHECK(island.error().status == 403);
        CHECK(island.error().detail.find(c.advice) != std::string::npos);
    }
}

TEST_CASE_METHOD(Fixture, "nothing is found outside, hidden, or in the place of a directory") {
    put(".hidden", 0755);
    put("sub/.hidden", 0755);
    test::writeContent(scratch.path() / "outside", "#!/bin/sh\n");
    ::chmod((scratch.path() / "outside").c_str(), 0755);
    fs::create_symlink("../outside", scratch.path() / "islands" / "link");
    fs::create_symlink(scratch.path(), scratch.path() / "islands" / "up");
    REQUIRE(::mkfifo((scratch.path() / "islands" / "pipe").c_str(), 0755) == 0);
    const auto islands = open();
    for (const char* path :
         {"/cgi-bin/", "/cgi-bin/.hidden", "/cgi-bin/sub/.hidden", "/cgi-bin/link",
          "/cgi-bin/up/outside", "/cgi-bin/sub", "/cgi-bin/sub/", "/cgi-bin/none",
          "/cgi-bin/none/x", "/cgi-bin/pipe"}) {
        INFO(path);
        const auto island = islands.find(path);
        REQUIRE_FALSE(island);
        const bool leadsOut =
            std::string_view(path).contains("link") || std::string_view(path).contains("outside");
        CHECK(island.error().status == (leadsOut ? 403 : 404));
    }
}

TEST_CASE_METHOD(Fixture, "a link that stays within is the island it leads to") {
    put("sub/real.sh", 0755);
    fs::create_symlink("sub/real.sh", scratch.path() / "islands" / "alias");
    const auto island = open().find("/cgi-bin/alias");
    REQUIRE(island);
    CHECK(island->name == "alias");
}

TEST_CASE_METHOD(Fixture, "only paths below the prefix are its business") {
    const auto islands = open();
    CHECK(islands.answers("/cgi-bin/x"));
    CHECK_FALSE(islands.answers("/cgi-bin"));
    CHECK_FALSE(islands.answers("/cgi-bin2/x"));
    CHECK_FALSE(islands.answers("/"));
}

TEST_CASE("a directory that does not exist is an error") {
    CHECK_FALSE(gateway::IslandDirectory::open("/no/such/directory", "/cgi-bin/"));
}

TEST_CASE_METHOD(Fixture, "a program in a directory that others may write to is refused") {
    put("sub/deep.sh", 0755);
    put("form", 0755);
    const auto top = scratch.path() / "islands";
    fs::create_directory(top / "real");
    test::writeContent(top / "real" / "a.sh", "#!/bin/sh\n");
    REQUIRE(::chmod((top / "real" / "a.sh").c_str(), 0755) == 0);
    fs::create_symlink("../real/a.sh", top / "sub" / "link.sh");
    fs::create_symlink("real", top / "way");
    const auto islands = open();
    const auto refusedFor = [&](const char* path) {
        const auto island = islands.find(path);
        return island ? std::string("(found)") : island.error().detail;
    };
    for (const char* path : {"/cgi-bin/sub/deep.sh", "/cgi-bin/sub/link.sh", "/cgi-bin/way/a.sh"})
        CHECK(refusedFor(path) == "(found)");
    REQUIRE(::chmod((top / "real").c_str(), 0777) == 0); // behind both links
    CHECK(refusedFor("/cgi-bin/sub/link.sh").find("lies in real that others") != std::string::npos);
    CHECK(refusedFor("/cgi-bin/way/a.sh").find("lies in way that others") != std::string::npos);
    CHECK(refusedFor("/cgi-bin/sub/deep.sh") == "(found)");
    REQUIRE(::chmod((top / "sub").c_str(), 0775) == 0);
    CHECK(refusedFor("/cgi-bin/sub/deep.sh").find("lies in sub that others") != std::string::npos);
    CHECK(refusedFor("/cgi-bin/form") == "(found)");
    REQUIRE(::chmod(top.c_str(), 01777) == 0); // others cannot replace, but add
    CHECK(refusedFor("/cgi-bin/form").find("lies in a directory that others") != std::string::npos);
}

TEST_CASE_METHOD(Fixture, "a file whose extension has an interpreter needs no right to be run") {
    put("a.py", 0644);
    put("sub/b.PY", 0644);
    put("world.py", 0646);
    put("plain", 0644);
    put("own", 0755);
    gateway::Interpreters interpreters;
    interpreters.add(".py", "/usr/bin/python3");
    const auto islands = open();
    const auto island = islands.find("/cgi-bin/sub/b.PY/x", &interpreters);
    REQUIRE(island);
    CHECK(island->interpreter == "/usr/bin/python3");
    CHECK(island->name == "sub/b.PY");
    CHECK(island->pathInfo == "/x");
    CHECK(islands.find("/cgi-bin/own", &interpreters)->interpreter.empty());
    CHECK(islands.find("/cgi-bin/world.py", &interpreters).error().status == 403);
    CHECK(islands.find("/cgi-bin/plain", &interpreters).error().status == 403);
    CHECK(islands.find("/cgi-bin/a.py").error().status == 403); // none is set
}

TEST_CASE_METHOD(Fixture, "among documents only files with an interpreter are programs") {
    put("a.py", 0644);
    put("own", 0755);
    gateway::Interpreters interpreters;
    interpreters.add(".py", "/usr/bin/python3");
    using Programs = gateway::IslandDirectory::Programs;
    const auto top = (scratch.path() / "islands").string();
    const auto documents = gateway::IslandDirectory::open(top, "/", Programs::interpreted).value();
    const auto island = documents.find("/a.py/x", &interpreters);
    REQUIRE(island);
    CHECK(island->scriptName == "/a.py");
    CHECK(island->pathInfo == "/x");
    for (const char* path : {"/own", "/own/a.py", "/none.py", "/sub", "/", "/a.pyc"})
        CHECK(documents.find(path, &interpreters).error().status == 404);
}
