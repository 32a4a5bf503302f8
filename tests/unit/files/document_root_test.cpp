#include "files/document_root.h"
#include "scratch.h"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <optional>

using namespace reef;
using files::Absence;
namespace fs = std::filesystem;

namespace {

struct Fixture {
    Fixture() { fs::create_directories(www()); }

    fs::path www() const { return scratch.path() / "www"; }

    void put(const std::string& name, const std::string& content = "content") {
        fs::create_directories((www() / name).parent_path());
        test::writeContent(www() / name, content);
    }

    files::DocumentRoot open() const {
        return files::DocumentRoot::open(www().string(), {"index.shtml", "index.html"}).value();
    }

    std::string nameOf(const char* path) const {
        const auto file = open().find(path);
        return file ? file->name : "(absent)";
    }

    std::optional<Absence> absenceOf(const char* path) const {
        const auto file = open().find(path);
        return file ? std::nullopt : std::optional(file.error());
    }

    test::Scratch scratch;
};

} // namespace

TEST_CASE_METHOD(Fixture, "a file is found with what is needed to describe it") {
    put("docs/page.html", "hello");
    const auto file = open().find("/docs/page.html");
    REQUIRE(file);
    CHECK(file->name == "docs/page.html");
    CHECK(file->size == 5);
    struct stat status{};
    REQUIRE(::stat((www() / "docs/page.html").c_str(), &status) == 0);
    CHECK(file->inode == status.st_ino);
    CHECK(file->modified.tv_sec == status.st_mtim.tv_sec);
    CHECK(file->modified.tv_nsec == status.st_mtim.tv_nsec);
    char bytes[10];
    CHECK(::read(file->descriptor.get(), bytes, sizeof bytes) == 5);
}

TEST_CASE_METHOD(Fixture, "a directory gives the first of its index files") {
    put("index.html");
    put("both/index.html");
    put("both/index.shtml");
    fs::create_directories(www() / "none");
    fs::create_directories(www() / "odd/index.shtml");
    put("odd/index.html");
    CHECK(nameOf("/") == "index.html");
    CHECK(nameOf("/both/") == "both/index.shtml");
    CHECK(nameOf("/odd/") == "odd/index.html");
    CHECK(absenceOf("/none/") == Absence::noIndex);
    CHECK(absenceOf("/both") == Absence::addSlash);
    CHECK(absenceOf("/missing/") == Absence::notFound);
    CHECK(absenceOf("/index.html/") == Absence::notFound);
    CHECK(absenceOf("/index.html/x") == Absence::notFound);
}

TEST_CASE_METHOD(Fixture, "hidden names are never found, but for /.well-known/") {
    put(".htaccess");
    put(".git/config");
    put("docs/.env");
    put(".well-known/token");
    put(".well-known/.secret");
    put(".well-known.txt");
    for (const char* path : {"/.htaccess", "/.git/config", "/.git/", "/docs/.env",
                             "/.well-known/.secret", "/.well-known.txt", "/.well-known"}) {
        INFO(path);
        CHECK(absenceOf(path) == Absence::notFound);
    }
    CHECK(nameOf("/.well-known/token") == ".well-known/token");
}

TEST_CASE_METHOD(Fixture, "links are followed within the root, and never out of it") {
    put("real/file.txt");
    test::writeContent(scratch.path() / "secret", "secret");
    fs::create_symlink("real/file.txt", www() / "inside.txt");
    fs::create_symlink(www() / "real/file.txt", www() / "absolute.txt");
    fs::create_symlink("../secret", www() / "outside.txt");
    fs::create_symlink("..", www() / "up");
    fs::create_symlink("loop", www() / "loop");
    CHECK(nameOf("/inside.txt") == "inside.txt");
    for (const char* path : {"/absolute.txt", "/outside.txt", "/up/secret", "/loop"}) {
        INFO(path);
        CHECK(absenceOf(path) == Absence::notFound);
    }
}

TEST_CASE_METHOD(Fixture, "a caller may have index names of its own") {
    put("index.html");
    put("start.txt");
    const std::vector<std::string> names{"none", "start.txt"};
    CHECK(open().find("/", names)->name == "start.txt");
    CHECK(open().find("/", {}).error() == Absence::noIndex);
}

TEST_CASE_METHOD(Fixture, "a root may refuse all links, or follow them anywhere") {
    put("real/file.txt");
    put("other/.secret");
    test::writeContent(scratch.path() / "outside", "outside");
    fs::create_symlink("real/file.txt", www() / "inside.txt");
    fs::create_symlink(scratch.path() / "outside", www() / "out.txt");
    fs::create_symlink("..", www() / "up");
    const auto rootWith = [&](io::Links links) {
        return files::DocumentRoot::open(www().string(), {"index.html"}, links).value();
    };
    const auto none = rootWith(io::Links::refused);
    CHECK(none.find("/real/file.txt"));
    CHECK(none.find("/inside.txt").error() == Absence::notFound);
    CHECK(none.find("/out.txt").error() == Absence::notFound);
    const auto all = rootWith(io::Links::anywhere);
    CHECK(all.find("/inside.txt"));
    CHECK(all.find("/out.txt")->size == 7);
    CHECK(all.find("/up/outside")->size == 7);
    CHECK(all.find("/other/.secret").error() == Absence::notFound);
}

TEST_CASE_METHOD(Fixture, "directories are opened for reading, hidden ones and files are not") {
    put("docs/page.html");
    put(".git/config");
    CHECK(open().openDirectory("/"));
    CHECK(open().openDirectory("/docs/"));
    CHECK(open().openDirectory("/.git/").error() == Absence::notFound);
    CHECK(open().openDirectory("/docs/page.html/").error() == Absence::notFound);
    CHECK(open().openDirectory("/none/").error() == Absence::notFound);
}

TEST_CASE_METHOD(Fixture, "only a link on the way makes a file indirect") {
    put("real/file.txt");
    fs::create_symlink("real/file.txt", www() / "link.txt");
    fs::create_symlink("real", www() / "dir");
    const auto root = open();
    CHECK(root.isDirect(*root.find("/real/file.txt")));
    CHECK_FALSE(root.isDirect(*root.find("/link.txt")));
    CHECK_FALSE(root.isDirect(*root.find("/dir/file.txt")));
}

TEST_CASE_METHOD(Fixture, "what is no regular file is not found, and holds nobody up") {
    REQUIRE(::mkfifo((www() / "pipe").c_str(), 0666) == 0);
    fs::create_directories(www() / "long");
    CHECK(absenceOf("/pipe") == Absence::notFound);
    CHECK(absenceOf(("/" + std::string(300, 'x')).c_str()) == Absence::notFound);
    CHECK(absenceOf(("/" + std::string(5000, 'x')).c_str()) == Absence::notFound);
}

TEST_CASE_METHOD(Fixture, "a file that may not be read is forbidden") {
    if (::geteuid() == 0) return; // root may read everything; the end-to-end test has another user
    put("closed.txt");
    ::chmod((www() / "closed.txt").c_str(), 0);
    CHECK(absenceOf("/closed.txt") == Absence::forbidden);
}

TEST_CASE("a directory that does not exist is an error") {
    CHECK_FALSE(files::DocumentRoot::open("/no/such/directory", {"index.html"}));
}
