#include "compose/fakes.h"
#include "site/policy.h"

#include <catch2/catch.hpp>

using namespace reef;
using namespace reef::site;

namespace {

Route routeFor(std::string_view path) {
    Route route;
    route.match.paths.push_back(PathPattern::parse(path).value());
    return route;
}

} // namespace

TEST_CASE("every route that applies counts, a later one over an earlier one") {
    Conduct own;
    own.cacheControl = "no-cache";
    own.listing = true;
    std::vector<Route> routes{routeFor("/a/*"), routeFor("*.css"), routeFor("/b/*")};
    routes[0].conduct.cacheControl = "private";
    routes[0].conduct.ssi = false;
    routes[1].conduct.cacheControl = "public";
    routes[2].conduct.listing = false;
    test::PageRequest page("/a/x.css");
    const auto policy = policyFor(own, routes, page.request);
    REQUIRE(policy);
    CHECK(policy->cacheControl == "public");
    CHECK_FALSE(policy->ssi);
    CHECK(policy->listing);
    CHECK(policy->decision == nullptr);
    CHECK_FALSE(policy->guards());
}

TEST_CASE("the first route that decides ends the list") {
    std::vector<Route> routes{routeFor("/a/*"), routeFor("/a/*"), routeFor("/a/*")};
    routes[0].conduct.listing = true;
    routes[1].respond = 404;
    routes[2].conduct.listing = false;
    test::PageRequest page("/a/x");
    const auto policy = policyFor({}, routes, page.request);
    REQUIRE(policy);
    CHECK(policy->decision == &routes[1]);
    CHECK(policy->listing);
    CHECK(policy->captures[1] == "x");
}

TEST_CASE("all rates of the routes that apply are asked") {
    std::vector<Route> routes{routeFor("/a/*"), routeFor("/b"), routeFor("*")};
    for (Route& route : routes)
        route.conduct.rate = std::make_shared<RateLimit>(Rate());
    test::PageRequest page("/a/x");
    const auto policy = policyFor({}, routes, page.request);
    REQUIRE(policy);
    REQUIRE(policy->rates().size() == 2);
    CHECK(policy->rates()[0] == routes[0].conduct.rate.get());
    CHECK(policy->rates()[1] == routes[2].conduct.rate.get());
    CHECK(policy->guards());
}

TEST_CASE("a route can be for some methods alone") {
    auto route = routeFor("/form");
    route.match.methods = {"POST", "PUT"};
    Captures captures;
    test::PageRequest page("/form");
    CHECK(route.match.applies(page.request, captures) == Regex::Verdict::unmatched);
    page.request.methodName = "POST";
    CHECK(route.match.applies(page.request, captures) == Regex::Verdict::matched);
}

TEST_CASE("a regular expression that gives up lets nothing pass by") {
    std::vector<Route> routes(1);
    routes[0].match.regex = Regex::compile("^/(a+)+$").value();
    routes[0].respond = 403;
    test::PageRequest page("/" + std::string(64, 'a') + "!");
    const auto policy = policyFor({}, routes, page.request);
    REQUIRE_FALSE(policy);
    CHECK(policy.error().status == 500);
}

TEST_CASE("headers of site and routes go into the answer") {
    Conduct own;
    own.headers = {{"X-A", "site"}, {"X-B", "site"}};
    std::vector<Route> routes{routeFor("/a")};
    routes[0].conduct.headers = {{"X-B", "route"}};
    test::PageRequest page("/a");
    REQUIRE(policyFor(own, routes, page.request));
    http::ResponseHead head(page.arena);
    page.request.answerFields.applyTo(head);
    CHECK(head.fields.find("X-A") == "site");
    CHECK(head.fields.find("X-B") == "route");
    CHECK(head.fields.size() == 2);
}

TEST_CASE("a route for GET is one for HEAD as well, and no other method is meant by another") {
    std::vector<Route> routes(1);
    routes[0].respond = 403;
    const auto decides = [&](const char* wanted, const char* asked) {
        routes[0].match.methods = {wanted};
        test::PageRequest page("/x");
        page.request.methodName = asked;
        return policyFor({}, routes, page.request).value().decision != nullptr;
    };
    CHECK(decides("GET", "GET"));
    CHECK(decides("GET", "HEAD"));
    CHECK_FALSE(decides("GET", "POST"));
    CHECK_FALSE(decides("HEAD", "GET"));
}

TEST_CASE("of a path on which a regular expression gives up the log gets 200 bytes") {
    std::vector<Route> routes(1);
    routes[0].match.regex = Regex::compile("^/(a+)+$").value();
    const std::string path = "/" + std::string(3000, 'a') + "!";
    test::PageRequest page(path);
    const auto policy = policyFor({}, routes, page.request);
    REQUIRE_FALSE(policy);
    CHECK(policy.error().detail.find(path.substr(0, 200) + "...") != std::string::npos);
    CHECK(policy.error().detail.size() < 300);
}
