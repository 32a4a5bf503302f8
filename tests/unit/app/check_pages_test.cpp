#include "app/check_pages.h"
#include "app/walk.h"
#include "scratch.h"

#include <catch2/catch.hpp>

using namespace reef;

namespace {

/// The faults of a site with this page, a part, and an island.
std::vector<std::string> faultsOf(const std::string& page, bool rewrites = false) {
    const test::Scratch scratch;
    std::filesystem::create_directories(scratch / "www/shop");
    std::filesystem::create_directories(scratch / "cgi-bin");
    scratch.file("www/part.html", "part");
    scratch.file("www/shop/near.html", "near");
    scratch.file("cgi-bin/clock.sh", "#!/bin/sh\n", 0755);
    scratch.file("www/shop/page.shtml", page);
    site::SiteSettings settings;
    settings.documents = scratch / "www";
    settings.islands = scratch / "cgi-bin";
    if (rewrites) settings.routes.emplace_back().respond = 404;
    const auto site = site::Site::load(std::move(settings));
    REQUIRE(site);
    return app::faultsOfPages(*site);
}

} // namespace

TEST_CASE("a page whose includes are all there has no faults") {
    CHECK(faultsOf("<p>text</p>").empty());
    CHECK(faultsOf("<!--#include virtual=\"/part.html\" -->"
                   "<!--#include virtual=\"../part.html?x=1\" -->"
                   "<!--#include virtual=\"near.html\" -->"
                   "<!--#include file=\"near.html\" -->"
                   "<!--#include virtual=\"/cgi-bin/clock.sh/extra?a=b\" -->"
                   "<!--#config errmsg=\"none\" --><!--#echo var=\"DATE_GMT\" -->")
              .empty());
}

TEST_CASE("what is wrong in a page is told with file and line") {
    struct Case {
        const char* page;
        const char* says;
    };
    const Case cases[] = {
        {"\n\n<!--#dance -->", "page.shtml:3: dance: unknown directive"},
        {"<!--#include fiel=\"near.html\" -->", "unknown attribute"},
        {"<!--#include virtual=\"/lost.html\" -->", "/lost.html\": there is no such file"},
        {"<!--#include virtual=\"/cgi-bin/lost.sh\" -->", "there is no island lost.sh"},
        {"<!--#include file=\"lost.html\" -->", "there is no such file"},
        {"<!--#include file=\"../part.html\" -->", "outside the page's directory"},
        {"<!--#include virtual=\"http://example.org/\" -->", "a scheme or a host"},
        {"<!--#include virtual=\"/shop\" -->", "add a slash"},
        {"<!--#include virtual=\"/part.html\"", "page.shtml:1: "},
    };
    for (const Case& c : cases) {
        INFO(c.page);
        const auto faults = faultsOf(c.page);
        REQUIRE(faults.size() == 1);
        INFO(faults.front());
        CHECK(faults.front().find(c.says) != std::string::npos);
    }
}

TEST_CASE("where routes decide, an include is taken to be right") {
    CHECK(faultsOf("<!--#include virtual=\"/lost.html\" -->", true).empty());
    CHECK(faultsOf("<!--#dance -->", true).size() == 1);
}

TEST_CASE("a page for failures that is not there is a fault") {
    const test::Scratch scratch;
    std::filesystem::create_directories(scratch / "www");
    std::filesystem::create_directories(scratch / "cgi-bin");
    scratch.file("www/my page.html", "gone");
    site::SiteSettings settings;
    settings.documents = scratch / "www";
    settings.islands = scratch / "cgi-bin";
    settings.errorDocuments = {{404, "/404.html"}, {410, "/my%20page.html?x"}, {500, "/cgi-bin/a"}};
    const auto faults = app::faultsOfErrorPages(site::Site::load(std::move(settings)).value());
    REQUIRE(faults.size() == 2);
    CHECK(faults[0] == "[errors] 404 = \"/404.html\": there is no such file");
    CHECK(faults[1].starts_with("[errors] 500"));
}

TEST_CASE("a walk through too many files ends, and says so once") {
    const test::Scratch scratch;
    for (const char* name : {"a", "b", "c"}) {
        std::filesystem::create_directories(scratch / name);
        for (int i = 0; i != 4; ++i)
            scratch.file(name + ("/" + std::to_string(i)), "");
    }
    CHECK(app::walk(scratch.path().string(), 15).faults.empty());
    CHECK(app::walk(scratch.path().string(), 15).files.size() == 12);
    for (const std::size_t most : {0U, 1U, 7U, 14U}) {
        const auto walk = app::walk(scratch.path().string(), most);
        CHECK(walk.files.size() <= most);
        REQUIRE(walk.faults.size() == 1);
        CHECK(walk.faults[0].find("the others were not looked at") != std::string::npos);
    }
}
