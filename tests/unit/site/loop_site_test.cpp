#include "site/site_fixture.h"

#include <catch2/catch.hpp>
#include <filesystem>

using namespace reef;

namespace {

using Fields = std::vector<std::pair<std::string, std::string>>;
using Fixture = test::SiteFixture;

} // namespace

TEST_CASE_METHOD(Fixture, "files, pages and failures are told apart") {
    document("file.txt", "a file");
    document("page.shtml", "a page, <!--#include file=\"file.txt\" -->");
    CHECK(ask("/file.txt").content == "a file");
    const auto page = ask("/page.shtml");
    CHECK(page.content == "a page, a file");
    CHECK(page.fields.find("text/html") != std::string::npos);
    CHECK(ask("/missing").handled.error().status == 404);
    CHECK(ask("/cgi-bin/missing").handled.error().status == 404);
    CHECK(ask("/page.shtml", http::Method::post).handled.error().status == 405);
    CHECK(ask("/page.shtml", http::Method::post).handled.error().fields ==
          Fields{{"Allow", "GET, HEAD, OPTIONS"}});
    ssi = false;
    CHECK(ask("/page.shtml").content == "a page, <!--#include file=\"file.txt\" -->");
}

TEST_CASE_METHOD(Fixture, "a newcomer's site welcomes, once it has a page it does not") {
    CHECK(ask("/").status == 200);
    CHECK(ask("/").content.find("cgi-bin") != std::string::npos);
    document("index.html", "home");
    CHECK(ask("/").content == "home");
}

TEST_CASE_METHOD(Fixture, "`file` does not reach islands, nor does a page's path become one") {
    test::writeContent(scratch.path() / "cgi-bin" / "x.sh", "SECRET");
    document("page.shtml", "<!--#include file=\"cgi-bin/x.sh\" -->|"
                           "<!--#include virtual=\"/cgi-bin/x.sh\" -->");
    const auto page = ask("/page.shtml");
    CHECK(page.status == 200);
    CHECK(page.content.find("SECRET") == std::string::npos);
    CHECK(page.content.find('|') != std::string::npos);
}

TEST_CASE_METHOD(Fixture, "an island's refusal is its status, told to the log") {
    test::writeContent(scratch.path() / "cgi-bin" / "x.sh", "#!/bin/sh\n");
    const auto refused = ask("/cgi-bin/x.sh");
    REQUIRE_FALSE(refused.handled);
    CHECK(refused.handled.error().status == 403);
    CHECK(refused.handled.error().detail.find("chmod +x") != std::string::npos);
}

TEST_CASE_METHOD(Fixture, "a page knows its own name and time, also as the index of a directory") {
    document("docs/index.shtml",
             "<!--#echo var=\"DOCUMENT_NAME\" -->|<!--#echo var=\"LAST_MODIFIED\" -->");
    const auto page = ask("/docs/");
    CHECK(page.content.starts_with("index.shtml|"));
    CHECK(page.content.find("(none)") == std::string::npos);
    CHECK(page.fields.find("Last-Modified") == std::string::npos);
}
