#include "files/file_cache.h"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

using namespace reef;
namespace fs = std::filesystem;

namespace {

/// A document root in a new directory, and the cache of a loop that is turned by hand.
class Documents {
public:
    Documents() {
        char name[] = "/tmp/atoll-files-XXXXXX";
        REQUIRE(::mkdtemp(name) != nullptr);
        base_ = name;
        fs::create_directories(base_ / "a/b");
        write("a/b/page.html", "one");
        auto opened = files::DocumentRoot::open(base_.string(), {"index.html"});
        REQUIRE(opened);
        root.emplace(std::move(*opened));
        cache.emplace(loop, *root);
    }
    ~Documents() { fs::remove_all(base_); }
    Documents(const Documents&) = delete;
    Documents& operator=(const Documents&) = delete;

    fs::path path(const std::string& name) const { return base_ / name; }
    void write(const std::string& name, const std::string& text) const {
        std::ofstream(base_ / name) << text;
    }

    /// The next turn of the loop, and what the cache holds of the path then.
    std::shared_ptr<const files::CachedFile> get(const std::string& name) {
        turn();
        auto found = cache->find(name);
        REQUIRE(found);
        return found->cached;
    }
    void turn() {
        loop.post([] {});
        loop.turn();
    }
    /// Waits out the pause that follows a change.
    void rest() {
        ::usleep(25'000);
        turn();
    }

    io::Loop loop;
    std::optional<files::DocumentRoot> root;
    std::optional<files::FileCache> cache;

private:
    fs::path base_;
};

} // namespace

TEST_CASE("a small file is read once and then served from memory") {
    Documents documents;
    const auto first = documents.get("/a/b/page.html");
    REQUIRE(first);
    CHECK(first->content == "one");
    CHECK(first->mediaType == "text/html; charset=utf-8");
    CHECK(documents.get("/a/b/page.html") == first);
    CHECK(documents.cache->size() == 1);
}

TEST_CASE("every way to change a file is noticed at the next turn") {
    Documents documents;
    const auto before = documents.get("/a/b/page.html");
    SECTION("written in place") {
        documents.write("a/b/page.html", "two");
    }
    SECTION("replaced by another file") {
        documents.write("new", "two");
        fs::rename(documents.path("new"), documents.path("a/b/page.html"));
    }
    SECTION("its directory exchanged") {
        fs::rename(documents.path("a"), documents.path("old"));
        fs::create_directories(documents.path("a/b"));
        documents.write("a/b/page.html", "two");
    }
    documents.turn();
    auto found = documents.cache->find("/a/b/page.html");
    REQUIRE(found);
    CHECK(found->cached != before);
    documents.rest();
    const auto after = documents.get("/a/b/page.html");
    REQUIRE(after);
    CHECK(after->content == "two");
    CHECK(after->entityTag != before->entityTag);
}

TEST_CASE("a file that is gone, or may no longer be read, is not served from memory") {
    Documents documents;
    REQUIRE(documents.get("/a/b/page.html"));
    fs::remove(documents.path("a/b/page.html"));
    documents.turn();
    const auto found = documents.cache->find("/a/b/page.html");
    REQUIRE_FALSE(found);
    CHECK(found.error() == files::Absence::notFound);
}

TEST_CASE("a change of another file in the directory costs only another reading") {
    Documents documents;
    REQUIRE(documents.get("/a/b/page.html"));
    documents.write("a/b/other", "x");
    CHECK_FALSE(documents.get("/a/b/page.html"));
    documents.rest();
    const auto again = documents.get("/a/b/page.html");
    REQUIRE(again);
    CHECK(again->content == "one");
}

TEST_CASE("files whose changes could be missed are not kept") {
    Documents documents;
    documents.write("linked.html", "l");
    fs::create_symlink("linked.html", documents.path("link.html"));
    fs::create_hard_link(documents.path("a/b/page.html"), documents.path("twin.html"));
    documents.write("big.html", std::string(files::FileCache::kMaxFileBytes + 1, 'x'));
    for (const char* name : {"/link.html", "/twin.html", "/a/b/page.html", "/big.html"}) {
        INFO(name);
        CHECK_FALSE(documents.get(name));
    }
    CHECK(documents.get("/linked.html"));
}

TEST_CASE("index names of the caller's stand for those of the root") {
    Documents documents;
    documents.write("a/start.txt", "start");
    documents.write("a/index.html", "index");
    const auto nameOf = [&](const std::vector<std::string>& names, const char* path = "/a/") {
        documents.turn();
        const auto found = documents.cache->find(path, names);
        return found ? std::string(found->name()) : "(absent)";
    };
    CHECK(nameOf({"none", "start.txt"}) == "a/start.txt");
    CHECK(nameOf({"b", "index.html"}) == "a/index.html"); // b is a directory
    CHECK(nameOf({"none"}) == "(absent)");
    CHECK(nameOf({}, "/a/start.txt") == "a/start.txt");
    CHECK(documents.cache->find("/a/", {}).error() == files::Absence::noIndex);
    CHECK(documents.cache->find("/none/", {}).error() == files::Absence::notFound);
}

TEST_CASE("answers on their way count, and when they hold all, files are read from disk") {
    Documents documents;
    const std::string content(files::FileCache::kMaxFileBytes, 'x');
    const auto most = files::FileCache::kMaxBytes / files::FileCache::kMaxFileBytes;
    std::vector<std::shared_ptr<const files::CachedFile>> underway;
    for (ByteCount i = 0; i <= most; ++i)
        documents.write("f" + std::to_string(i), content);
    for (ByteCount i = 0; i != most; ++i)
        underway.push_back(documents.get("/f" + std::to_string(i)));
    CHECK(underway.back());
    const auto last = "/f" + std::to_string(most);
    CHECK_FALSE(documents.get(last));
    underway.clear();
    CHECK(documents.get(last));
}

TEST_CASE("the cache stays within its size") {
    Documents documents;
    const std::string half(files::FileCache::kMaxFileBytes, 'x');
    const auto files = files::FileCache::kMaxBytes / files::FileCache::kMaxFileBytes + 10;
    for (ByteCount i = 0; i < files; ++i)
        documents.write("f" + std::to_string(i), half);
    for (ByteCount i = 0; i < files; ++i)
        CHECK(documents.get("/f" + std::to_string(i)));
    CHECK(documents.cache->size() <= files::FileCache::kMaxBytes / files::FileCache::kMaxFileBytes);
}
