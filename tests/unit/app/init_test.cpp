#include "app/init.h"
#include "scratch.h"

#include <catch2/catch.hpp>
#include <sstream>

using namespace reef;
using namespace reef::test;

namespace {

using Outcome = std::expected<std::span<const EmbeddedFile>, app::DemoFailure>;

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != text.npos;
}

Outcome failure(Error error, std::vector<std::string> paths) {
    return std::unexpected(app::DemoFailure{error, std::move(paths)});
}

} // namespace

TEST_CASE("init lists every file under its directory, each directory once") {
    const EmbeddedFile files[] = {{"atoll.toml", "", false},
                                  {"cgi-bin/a.sh", "", true},
                                  {"cgi-bin/source/b/b.c", "", false},
                                  {"cgi-bin/tide", "", true}};
    CHECK(app::describeInit("site", Outcome(files), app::Colour::none) ==
          "A site is in site now.\n\n"
          "  ./                          atoll.toml\n"
          "  cgi-bin/                    a.sh  tide\n"
          "  cgi-bin/source/b/           b.c\n"
          "\nNext:\n"
          "  atoll serve site\n      look at it\n"
          "  $EDITOR site/cgi-bin/hello.sh\n"
          "      change a word, reload the page: that was the deployment\n");
}

TEST_CASE("init's list fits a terminal of 80 columns, with or without colours") {
    const std::string plain =
        app::describeInit("site", Outcome(app::demoFiles()), app::Colour::none);
    std::istringstream lines(plain);
    for (std::string line; std::getline(lines, line);) {
        CHECK(line.size() < 80);
        CHECK_FALSE(line.ends_with(' '));
    }
    CHECK_FALSE(contains(plain, "\x1b"));

    std::string coloured = app::describeInit("site", Outcome(app::demoFiles()), app::Colour::ansi);
    CHECK(contains(coloured, "\x1b[36mhello.sh\x1b[0m"));
    for (const char* code : {"\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[36m"})
        for (auto at = coloured.find(code); at != coloured.npos; at = coloured.find(code))
            coloured.erase(at, std::string_view(code).size());
    CHECK(coloured == plain);
}

TEST_CASE("init names what it would have overwritten") {
    const auto outcome = failure(Error(Error::system, EEXIST), {"atoll.toml", "www/index.shtml"});
    const std::string report = app::describeInit("site", outcome, app::Colour::none);
    CHECK(contains(report, "Nothing was written: in site these are there already"));
    CHECK(contains(report, "\n  atoll.toml\n  www/index.shtml\n"));
}

TEST_CASE("init gives the system's reason for another failure") {
    const auto outcome = failure(Error(Error::system, ENOSPC), {"www/style.css"});
    const std::string report = app::describeInit("site", outcome, app::Colour::none);
    CHECK(contains(report, "Nothing was written to site: www/style.css"));
    CHECK(contains(report, "No space left on device"));
}

TEST_CASE("init says so where the directory is a file") {
    const auto outcome = failure(Error(Error::system, EEXIST), {"."});
    CHECK(app::describeInit("site", outcome, app::Colour::none) ==
          "Nothing was written: site is there already and is not a directory.\n");
}

TEST_CASE("the command's status tells success from failure") {
    const Scratch scratch;
    using app::Beside;
    CHECK(app::initSite(scratch.path() / "site", Beside::nothing) == 0);
    CHECK(app::initSite(scratch.path() / "site", Beside::nothing) == 1);
    CHECK(app::initSite(scratch.path() / "site", Beside::others) == 1); // its own files are there
}

TEST_CASE("init hesitates before a directory with files, and says what it would add") {
    const Scratch scratch;
    const auto site = scratch.path() / "site";
    std::filesystem::create_directories(site / "www");
    CHECK_FALSE(app::holdsFiles(site));
    writeContent(site / "www" / "mine.html", "mine");
    CHECK(app::holdsFiles(site));
    CHECK(app::initSite(site, app::Beside::nothing) == 1);
    CHECK_FALSE(std::filesystem::exists(site / "atoll.toml"));
    const auto said = app::describeHesitation("site", app::demoFiles(), app::Colour::none);
    CHECK(contains(said, "site is not empty"));
    CHECK(contains(said, "hello.sh"));
    CHECK(contains(said, "atoll init --force site"));
    CHECK(app::initSite(site, app::Beside::others) == 0);
    CHECK(std::filesystem::exists(site / "atoll.toml"));
    CHECK(contentOf(site / "www" / "mine.html") == "mine");
}
