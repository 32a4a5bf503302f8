#include "http/pages.h"

#include <catch2/catch.hpp>
#include <set>

using namespace reef;

namespace {

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != text.npos;
}

std::size_t countOf(const std::string& text, std::string_view part) {
    std::size_t count = 0;
    for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1))
        ++count;
    return count;
}

/// Whether every element that needs an end has one, in the right order.
bool isBalanced(const std::string& html) {
    std::vector<std::string> open;
    for (auto at = html.find('<'); at != html.npos; at = html.find('<', at + 1)) {
        const bool closes = html[at + 1] == '/';
        const auto begin = at + (closes ? 2 : 1);
        const auto name = html.substr(begin, html.find_first_of(" >", begin) - begin);
        if (name == "!doctype" || name == "meta" || name == "path") continue;
        if (!closes) {
            open.push_back(name);
        } else {
            if (open.empty() || open.back() != name) return false;
            open.pop_back();
        }
    }
    return open.empty();
}

} // namespace

TEST_CASE("an error page says its code, its reason and what it means") {
    const std::string page = http::errorPage(404, "Not Found");
    CHECK(page.starts_with("<!doctype html>"));
    CHECK(contains(page, "<title>404 Not Found</title>"));
    CHECK(contains(page, "<p class=\"code\">404</p>"));
    CHECK(contains(page, "<h1>Not Found</h1>"));
    CHECK(contains(page, "Nothing lies at this address."));
}

TEST_CASE("every error status gives a complete page with a sentence") {
    for (int status = 400; status < 600; ++status) {
        const std::string page = http::errorPage(status, "Reason", "r-1");
        CAPTURE(status);
        CHECK(isBalanced(page));
        CHECK(contains(page, std::to_string(status)));
        CHECK_FALSE(contains(page, "<p class=\"lead\"></p>"));
    }
}

TEST_CASE("the blame is put on the right side") {
    CHECK(contains(http::errorPage(418, "I'm a teapot"), "make sense of this request"));
    CHECK(contains(http::errorPage(599, "Odd"), "could not answer"));
}

TEST_CASE("an error without a reason still has a heading") {
    const std::string page = http::errorPage(499, "");
    CHECK(contains(page, "<h1>Error</h1>"));
    CHECK(contains(page, "<title>499 Error</title>"));
}

TEST_CASE("reason and reference are text, whatever they hold") {
    const std::string hostile = "</title><script>alert(1)</script>\"'&";
    const std::string page = http::errorPage(500, hostile, hostile);
    CHECK(isBalanced(page));
    CHECK_FALSE(contains(page, "<script"));
    CHECK(countOf(page, "&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;") == 3);
}

TEST_CASE("the reference is shown only when there is one") {
    CHECK(contains(http::errorPage(500, "Internal Server Error", "a1b2"), "<code>a1b2</code>"));
    CHECK_FALSE(contains(http::errorPage(500, "Internal Server Error"), "quote"));
}

TEST_CASE("the server's own pages need no other file and run no script") {
    for (const std::string& page :
         {http::errorPage(503, "Service Unavailable", "x"), http::welcomePage()}) {
        for (const char* outside : {"<script", "<link", "<img", "src=", "href=", "url(", "@import",
                                    "http:", "https:", " style=", "onclick"}) {
            CAPTURE(outside);
            CHECK_FALSE(contains(page, outside));
        }
        CHECK(countOf(page, "<style>") == 1);
        CHECK(contains(page, "prefers-color-scheme: dark"));
    }
}

TEST_CASE("an error page is small") {
    CHECK(http::errorPage(404, "Not Found", "0123456789abcdef").size() < 3 * 1024);
}

TEST_CASE("the welcome page says what to put where") {
    const std::string page = http::welcomePage();
    CHECK(isBalanced(page));
    for (const char* needed :
         {"www/", "cgi-bin/", "atoll.toml", "atoll init", "chmod 755", "index.html"})
        CHECK(contains(page, needed));
}
