#include "harness/raw_client.h"
#include "harness/server.h"
#include "harness/text.h"

#include <catch2/catch.hpp>
#include <deque>
#include <filesystem>
#include <regex>
#include <set>

using namespace reef::e2e;
namespace fs = std::filesystem;

namespace {

const std::string kError = "[an error occurred while processing this directive]";

/// The demo site as `atoll init` writes it.
void writeDemo(const Site& site) {
    const auto written = runAtoll({"init", site.directory()});
    INFO(written.out << written.err);
    REQUIRE(written.clean());
}

/// Addresses of this site in a page: what href and src name.
std::set<std::string> linksIn(const std::string& page, const std::string& base) {
    static const std::regex kLink("(?:href|src)=\"([^\"#?:]*)[^\":]*\"");
    std::set<std::string> links;
    for (std::sregex_iterator it(page.begin(), page.end(), kLink), end; it != end; ++it) {
        const std::string link = (*it)[1];
        if (link.empty() || link.starts_with("//")) continue;
        links.insert(link.starts_with('/') ? link : base.substr(0, base.rfind('/') + 1) + link);
    }
    return links;
}

} // namespace

TEST_CASE("every page of the demo site, and all that they lead to, is there") {
    Site site;
    writeDemo(site);
    Server server(site);
    std::deque<std::string> toVisit{"/"};
    std::set<std::string> seen{"/"};
    for (const auto& entry : fs::recursive_directory_iterator(site.documents())) {
        const auto path = "/" + fs::relative(entry.path(), site.documents()).string();
        if (entry.is_regular_file() && seen.insert(path).second) toVisit.push_back(path);
    }
    while (!toVisit.empty()) {
        const auto target = toVisit.front();
        toVisit.pop_front();
        INFO(target);
        const auto answer = fetch(server.port(), target);
        CHECK(answer.status == 200);
        CHECK(answer.complete);
        if (!answer.field("Content-Type").starts_with("text/html")) continue;
        CHECK_FALSE(answer.contains("<!--#"));
        if (target != "/broken.shtml") CHECK_FALSE(answer.contains(kError));
        for (const auto& link : linksIn(answer.body, target)) {
            if (seen.insert(link).second) toVisit.push_back(link);
        }
    }
    CHECK(seen.size() > 10);
}

TEST_CASE("the front page holds the output of each island, in page order") {
    Site site;
    writeDemo(site);
    const auto source = readFile(site.documents() / "index.shtml");
    Server server(site);
    const auto page = fetch(server.port(), "/");
    CHECK(page.status == 200);

    // Each island alone, then its place in the page.
    static const std::regex kInclude("include virtual=\"(/cgi-bin/[^\"]*)\"");
    std::size_t islands = 0;
    std::size_t place = 0;
    for (std::sregex_iterator it(source.begin(), source.end(), kInclude), end; it != end; ++it) {
        const std::string target = (*it)[1];
        INFO(target);
        const auto alone = fetch(server.port(), target);
        CHECK(alone.status == 200);
        // Islands tell times, numbers and lines that change: the beginning of the first tag does
        // not.
        const auto mark = alone.body.substr(0, alone.body.find_first_of("0123456789>"));
        const auto found = page.body.find(mark, place);
        CHECK(mark.size() > 5);
        CHECK(found != std::string::npos);
        place = found == std::string::npos ? place : found + 1;
        ++islands;
    }
    CHECK(islands >= 7);
    std::size_t after = 0;
    for (const char* language : {">Bash ", ">Perl ", ">Python ", ">C ("}) {
        INFO(language);
        const auto found = page.body.find(language, after);
        CHECK(found != std::string::npos);
        after = found == std::string::npos ? after : found;
    }
}

TEST_CASE("the demo site is right in the eyes of `atoll check`") {
    Site site;
    writeDemo(site);
    const auto checked = runAtoll({"check", site.directory()});
    INFO(checked.out << checked.err);
    CHECK(checked.clean());
    CHECK_FALSE(holds(checked.err, "warning"));
}

TEST_CASE("the one binary is enough: init and serve in an empty directory, from a copy of it") {
    Site site;
    const auto copy = site.beside("atoll");
    fs::copy_file(atollBinary(), copy);
    fs::remove_all(site.directory());
    const auto written = run({copy.string(), "init", site.directory().string()});
    INFO(written.err);
    REQUIRE(written.clean());
    Server server(site);
    CHECK(fetch(server.port(), "/").status == 200);
}

TEST_CASE("the source of the demo's islands is not served") {
    Site site;
    writeDemo(site);
    Server server(site);
    for (const auto& entry : fs::recursive_directory_iterator(site.islands() / "source")) {
        if (!entry.is_regular_file()) continue;
        const auto target = "/cgi-bin/" + fs::relative(entry.path(), site.islands()).string();
        INFO(target);
        CHECK(fetch(server.port(), target).status == 403);
    }
}
