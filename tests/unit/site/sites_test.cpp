#include "site/sites.h"

#include <catch2/catch.hpp>

using namespace reef;

namespace {

site::Sites sitesWith(std::vector<std::vector<std::string>> hosts) {
    std::vector<site::SiteSettings> settings(1);
    for (auto& names : hosts)
        settings.emplace_back().hosts = std::move(names);
    return site::Sites::load(std::move(settings), {}).value();
}

} // namespace

TEST_CASE(
    "a host goes to the site that names it, else to the longest wildcard, else to the first") {
    const auto sites =
        sitesWith({{"example.org", "www.example.org"}, {"*.example.org"}, {"*.deep.example.org"}});
    CHECK(sites.indexFor("example.org") == 1);
    CHECK(sites.indexFor("www.example.org") == 1);
    CHECK(sites.indexFor("shop.example.org") == 2);
    CHECK(sites.indexFor("a.b.example.org") == 2);
    CHECK(sites.indexFor("a.deep.example.org") == 3);
    CHECK(sites.indexFor("deep.example.org") == 2);
    CHECK(sites.indexFor("example.com") == 0);
    CHECK(sites.indexFor("notexample.org") == 0);
    CHECK(sites.indexFor("") == 0);
    CHECK(sites.indexFor("example.org.") == 1); // fully qualified
}

TEST_CASE("one site answers for every host") {
    CHECK(sitesWith({}).indexFor("whatever.example") == 0);
}
