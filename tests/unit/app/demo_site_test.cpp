#include "app/demo_site.h"
#include "scratch.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <toml++/toml.h>

using namespace reef;
using namespace reef::test;
namespace fs = std::filesystem;

namespace {

const fs::path kSource = ATOLL_SOURCE_DIR;

mode_t modeOf(const fs::path& path) {
    struct stat found{};
    if (::lstat(path.c_str(), &found) != 0) throw std::runtime_error("no " + path.string());
    return found.st_mode & 07777;
}

std::set<std::string> filesBelow(const fs::path& directory) {
    std::set<std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(directory))
        if (!entry.is_directory()) found.insert(entry.path().lexically_relative(directory));
    return found;
}

const EmbeddedFile* embedded(std::string_view path) {
    const auto files = app::demoFiles();
    const auto found = std::ranges::find(files, path, &EmbeddedFile::path);
    return found == files.end() ? nullptr : &*found;
}

/// Sets the umask for the time of one test.
class Umask {
public:
    explicit Umask(mode_t mask) : old_(::umask(mask)) {}
    ~Umask() { ::umask(old_); }

private:
    mode_t old_;
};

/// Lets no file grow beyond `bytes`, as a full disk would, for the time of one test.
class FileSizeLimit {
public:
    explicit FileSizeLimit(rlim_t bytes) {
        handler_ = ::signal(SIGXFSZ, SIG_IGN);
        ::getrlimit(RLIMIT_FSIZE, &old_);
        const rlimit limit{bytes, old_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit() {
        ::setrlimit(RLIMIT_FSIZE, &old_);
        ::signal(SIGXFSZ, handler_);
    }

private:
    rlimit old_{};
    void (*handler_)(int);
};

} // namespace

TEST_CASE("every file of www and cgi-bin is in the binary, byte for byte, with its mode") {
    std::size_t count = 0;
    for (const char* top : {"www", "cgi-bin"})
        for (const std::string& name : filesBelow(kSource / top)) {
            const std::string path = std::string(top) + "/" + name;
            CAPTURE(path);
            const EmbeddedFile* file = embedded(path);
            REQUIRE(file != nullptr);
            CHECK(file->bytes == contentOf(kSource / path));
            CHECK(file->executable == ((modeOf(kSource / path) & 0100) != 0));
            ++count;
        }
    // Besides them only what has no place there: the settings, and the compiled island.
    CHECK(embedded("atoll.toml") != nullptr);
    CHECK(embedded("cgi-bin/tide") != nullptr);
    CHECK(app::demoFiles().size() == count + 2);
}

TEST_CASE("the demo's files are ordered by path, relative, and stay below the site") {
    CHECK(std::ranges::is_sorted(app::demoFiles(), {}, &EmbeddedFile::path));
    for (const EmbeddedFile& file : app::demoFiles()) {
        CHECK_FALSE(file.path.starts_with('/'));
        CHECK(file.path.find("..") == file.path.npos);
    }
}

TEST_CASE("the compiled island is a static program") {
    const EmbeddedFile* tide = embedded("cgi-bin/tide");
    REQUIRE(tide != nullptr);
    CHECK(tide->executable);
    CHECK(tide->bytes.starts_with("\x7f"
                                  "ELF"));
    CHECK(tide->bytes.find("/lib64/ld-") == std::string_view::npos);
    CHECK(tide->bytes.size() < 1024 * 1024);
}

TEST_CASE("the settings parse, as they come and with every line switched on") {
    const std::string settings(embedded("atoll.toml")->bytes);
    const toml::table plain = toml::parse(settings);
    CHECK(plain.size() == 1); // the rest are the defaults, written as comments
    CHECK(plain["errors"]["404"].value<std::string>() == "/404.html");
    CHECK(embedded("www/404.html") != nullptr);

    std::string switchedOn;
    std::istringstream lines(settings);
    for (std::string line; std::getline(lines, line);)
        switchedOn +=
            (line.starts_with('#') && !line.starts_with("# ") ? line.substr(1) : line) + "\n";
    const toml::table table = toml::parse(switchedOn);
    for (const char* key :
         {"island_timeout", "listen", "max_islands", "pageviews", "panel", "ssi"}) {
        CAPTURE(key);
        CHECK(table.contains(key));
    }
}

TEST_CASE("init writes every file, with modes that no umask changes") {
    for (const mode_t mask : {mode_t{0}, mode_t{022}, mode_t{077}}) {
        CAPTURE(mask);
        const Scratch scratch;
        const Umask umask(mask);
        const fs::path site = scratch.path() / "deep" / "site";
        const auto written = app::writeDemoSite(site);
        REQUIRE(written.has_value());
        CHECK(written->size() == app::demoFiles().size());
        CHECK(filesBelow(site).size() == app::demoFiles().size());
        for (const EmbeddedFile& file : app::demoFiles()) {
            CAPTURE(file.path);
            CHECK(contentOf(site / file.path) == file.bytes);
            CHECK(modeOf(site / file.path) == (file.executable ? 0755 : 0644));
        }
        CHECK(modeOf(site) == 0755);
        CHECK(modeOf(site / "cgi-bin") == 0755);
    }
}

TEST_CASE("init leaves what else is in the directory alone") {
    const Scratch scratch;
    writeContent(scratch.path() / "notes.txt", "mine");
    fs::create_directory(scratch.path() / "www");
    writeContent(scratch.path() / "www" / "own.html", "mine too");
    REQUIRE(app::writeDemoSite(scratch.path() / "").has_value());
    CHECK(contentOf(scratch.path() / "notes.txt") == "mine");
    CHECK(contentOf(scratch.path() / "www" / "own.html") == "mine too");
}

TEST_CASE("init names every file it would overwrite, and changes nothing") {
    const Scratch scratch;
    fs::create_directory(scratch.path() / "www");
    writeContent(scratch.path() / "www" / "index.shtml", "mine");
    writeContent(scratch.path() / "atoll.toml", "");
    const auto result = app::writeDemoSite(scratch.path());
    REQUIRE_FALSE(result.has_value());
    CHECK(result.error().isConflict());
    CHECK(result.error().paths == std::vector<std::string>{"atoll.toml", "www/index.shtml"});
    CHECK(contentOf(scratch.path() / "www" / "index.shtml") == "mine");
    CHECK(filesBelow(scratch.path()) == std::set<std::string>{"atoll.toml", "www/index.shtml"});
}

TEST_CASE("a second init in the same directory finds the first") {
    const Scratch scratch;
    REQUIRE(app::writeDemoSite(scratch.path()).has_value());
    const auto again = app::writeDemoSite(scratch.path());
    REQUIRE_FALSE(again.has_value());
    CHECK(again.error().paths.size() == app::demoFiles().size());
}

TEST_CASE("init writes through no symbolic link") {
    const Scratch scratch;
    const Scratch elsewhere;
    fs::create_symlink(elsewhere.path(), scratch.path() / "www");
    fs::create_symlink("nowhere", scratch.path() / "atoll.toml");
    const auto result = app::writeDemoSite(scratch.path());
    REQUIRE_FALSE(result.has_value());
    CHECK(result.error().isConflict());
    CHECK(result.error().paths == std::vector<std::string>{"atoll.toml", "www"});
    CHECK(filesBelow(elsewhere.path()).empty());
    CHECK_FALSE(fs::exists(scratch.path() / "nowhere"));
}

TEST_CASE("a file where a directory is needed is a conflict") {
    const Scratch scratch;
    writeContent(scratch.path() / "www", "");
    const auto inside = app::writeDemoSite(scratch.path());
    REQUIRE_FALSE(inside.has_value());
    CHECK(inside.error().isConflict());
    CHECK(inside.error().paths == std::vector<std::string>{"www"});

    const auto at = app::writeDemoSite(scratch.path() / "www");
    REQUIRE_FALSE(at.has_value());
    CHECK(at.error().isConflict());
    CHECK(at.error().paths == std::vector<std::string>{"."});
}

TEST_CASE("a disk that fills up midway leaves nothing behind") {
    const Scratch scratch;
    const fs::path site = scratch.path() / "new" / "site";
    const FileSizeLimit limit(4096);
    const auto result = app::writeDemoSite(site);
    REQUIRE_FALSE(result.has_value());
    CHECK_FALSE(result.error().isConflict());
    CHECK(result.error().error.systemError() == EFBIG);
    CHECK(result.error().paths.size() == 1);
    CHECK(fs::is_empty(scratch.path()));
}

TEST_CASE("a directory that cannot be made is named with its reason") {
    const auto result = app::writeDemoSite("/proc/atoll-test/site");
    REQUIRE_FALSE(result.has_value());
    CHECK(result.error().error == Error::system);
    CHECK(result.error().paths == std::vector<std::string>{"."});
}
