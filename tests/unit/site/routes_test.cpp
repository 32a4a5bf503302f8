#include "site/site_fixture.h"

#include <catch2/catch.hpp>

using namespace reef;
using namespace reef::site;

namespace {

using Fixture = test::SiteFixture;

Route routeFor(std::string_view path) {
    Route route;
    route.match.paths.push_back(PathPattern::parse(path).value());
    return route;
}

TextTemplate templateOf(std::string_view text) {
    return TextTemplate::parse(text).value();
}

} // namespace

TEST_CASE_METHOD(Fixture, "a route redirects, with what its star stood for") {
    routes.push_back(routeFor("/old/*"));
    routes[0].redirect = Redirect{301, templateOf("/new/$1$args")};
    const auto answer = ask("/old/a%20b?x=1");
    CHECK(answer.status == 301);
    CHECK(answer.fields.find("Location: /new/a%20b?x=1") != std::string::npos);
}

TEST_CASE_METHOD(Fixture,
                 "a route answers with a status, or treats what it rewrites to as asked for") {
    document("kept.txt", "kept");
    routes.push_back(routeFor("/gone"));
    routes[0].respond = 410;
    routes.push_back(routeFor("/short"));
    routes[1].rewrite = templateOf("/kept.txt");
    routes.push_back(routeFor("/kept.txt"));
    routes[2].conduct.headers = {{"X-Kept", "yes"}};
    CHECK(ask("/gone").handled.error().status == 410);
    CHECK(ask("/short").content == "kept");
}

TEST_CASE_METHOD(Fixture, "rules of the path that was asked for hold although it is rewritten") {
    document("open.txt", "open");
    routes.push_back(routeFor("/secret"));
    routes[0].conduct.access = AccessRules();
    routes[0].conduct.access->deny = {io::Network::parse("0.0.0.0/0").value()};
    routes[0].rewrite = templateOf("/open.txt");
    CHECK(ask("/open.txt").content == "open");
    CHECK(ask("/secret").handled.error().status == 403);
}

TEST_CASE_METHOD(Fixture, "paths that are rewritten for ever end in a failure") {
    routes.push_back(routeFor("/a*"));
    routes[0].rewrite = templateOf("/a$1");
    CHECK(ask("/ab").handled.error().status == 500);
}

TEST_CASE_METHOD(Fixture, "try takes the first path that leads to a document, else the last") {
    document("app/x.js", "script");
    document("app/index.html", "app");
    routes.push_back(routeFor("/app/*"));
    routes[0].conduct.tryFiles = {templateOf("$path"), templateOf("$path.js"),
                                  templateOf("/app/index.html")};
    CHECK(ask("/app/x.js").content == "script");
    CHECK(ask("/app/x").content == "script");
    CHECK(ask("/app/deep/link").content == "app");
    CHECK(ask("/elsewhere").handled.error().status == 404);
}

TEST_CASE_METHOD(Fixture, "a site shows its own page for a failure, with the failure's status") {
    document("404.shtml", "lost: <!--#echo var=\"DOCUMENT_URI\" -->");
    errorDocuments = {{404, "/404.shtml"}, {403, "/missing.html"}};
    const auto lost = ask("/nothing");
    CHECK(lost.status == 404);
    CHECK(lost.content.starts_with("lost: "));
    CHECK(lost.fields.find("ETag") == std::string::npos);
    routes.push_back(routeFor("/no"));
    routes[0].respond = 403;
    const auto refused = ask("/no");
    CHECK(refused.status ==
          0); // the page itself is missing: nothing was sent, the plain one follows
}

TEST_CASE_METHOD(Fixture, "a page may include what its site shows nobody") {
    document("page.shtml", "[<!--#include virtual=\"/inner/part.txt\" -->]");
    document("inner/part.txt", "part");
    routes.push_back(routeFor("/inner/*"));
    routes[0].conduct.access = AccessRules();
    routes[0].conduct.access->deny = {io::Network::parse("0.0.0.0/0").value()};
    CHECK(ask("/inner/part.txt").handled.error().status == 403);
    CHECK(ask("/page.shtml").content == "[part]");
}

TEST_CASE_METHOD(Fixture, "what a route redirects or refuses is no part of a page") {
    document("page.shtml", "[<!--#include virtual=\"/moved\" -->]");
    routes.push_back(routeFor("/moved"));
    routes[0].redirect = Redirect{302, templateOf("/elsewhere")};
    const auto page = ask("/page.shtml");
    CHECK(page.status == 200);
    CHECK(page.content.find("error") != std::string::npos);
}

TEST_CASE_METHOD(Fixture, "a rate that is used up says when to come back") {
    document("x.txt", "x");
    routes.push_back(routeFor("/x.txt"));
    Rate rate;
    rate.count = 1;
    rate.period = std::chrono::hours(1);
    rate.burst = 1;
    routes[0].conduct.rate = std::make_shared<RateLimit>(rate);
    CHECK(ask("/x.txt").content == "x");
    const auto refused = ask("/x.txt").handled;
    REQUIRE_FALSE(refused);
    CHECK(refused.error().status == 429);
    REQUIRE(refused.error().fields.size() == 1);
    CHECK(refused.error().fields[0].first == "Retry-After");
    CHECK(std::stol(refused.error().fields[0].second) > 3000);
}

TEST_CASE_METHOD(Fixture, "a directory is listed only where that is allowed") {
    document("files/a.txt", "a");
    CHECK(ask("/files/").handled.error().status == 404);
    routes.push_back(routeFor("/files/*"));
    routes[0].conduct.listing = true;
    CHECK(ask("/files/").content.find("a.txt") != std::string::npos);
}
