#include "app/config.h"
#include "base/password_hash.h"
#include "base/text.h"
#include "scratch.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace reef;

TEST_CASE("no site's islands may have sent what is secret, or what is another site's island") {
    const test::Scratch scratch;
    for (const char* name : {"a", "b-islands", "c-islands"})
        std::filesystem::create_directories(scratch / name);
    scratch.file("users", "u:" + hashPassword("x", 10'000) + "\n");
    const auto config =
        app::parseConfig("access_log = \"a.log\"\n"
                         "[[site]]\nhosts = \"a.example\"\nroot = \"a\"\n"
                         "[[site]]\nhosts = \"b.example\"\nislands = \"b-islands\"\n"
                         "[[site.route]]\npath = \"/c/*\"\nislands = \"c-islands\"\n"
                         "[[site.route]]\npath = \"/d/*\"\nauth = { file = \"users\" }\n",
                         "atoll.toml", scratch.path().string());
    REQUIRE(config);
    REQUIRE(config->sites.size() == 3);
    for (const site::SiteSettings& site : config->sites)
        for (const char* name :
             {"data", "atoll.toml", "a.log", "cgi-bin", "b-islands", "c-islands", "users"}) {
            INFO(name);
            CHECK(std::ranges::count(site.neverSent, scratch / name) == 1);
        }
}

TEST_CASE("without a configuration the same holds for the usual places") {
    const test::Scratch scratch;
    const auto config = app::readConfig(scratch.path().string());
    REQUIRE(config);
    const auto directory = std::filesystem::canonical(scratch.path()).string();
    for (const char* name : {"/data", "/atoll.toml", "/cgi-bin"})
        CHECK(std::ranges::count(config->sites.front().neverSent, directory + name) == 1);
}
