#include "app/config.h"
#include "scratch.h"

#include <catch2/catch.hpp>

using namespace reef::app;

namespace {

std::string errorsOf(const std::string& text) {
    const auto config = parseConfig(text, "atoll.toml", "/srv/site");
    if (config) return "(right)";
    std::string all;
    for (const ConfigError& error : config.error())
        all += error.describe() + "\n";
    return all;
}

Config parsed(const std::string& text) {
    return parseConfig(text, "atoll.toml", "/srv/site").value();
}

} // namespace

TEST_CASE("without a file the conventions hold") {
    const auto config = parsed("");
    CHECK(config.listen.empty());
    REQUIRE(config.panel);
    CHECK(config.panel->describe() == "127.0.0.1:8081");
    CHECK(config.ssi);
    CHECK(config.pageviews);
    CHECK(config.maxIslands == 32);
    CHECK(config.islandTimeout == std::chrono::seconds(60));
    CHECK(config.documents() == "/srv/site/www");
    CHECK(config.islands() == "/srv/site/cgi-bin");
    CHECK(config.pageviewFile() == "/srv/site/data/pageviews.db");
}

TEST_CASE("settings are taken as they are written") {
    const auto config = parsed("listen = [\"127.0.0.1:1\", \"[::1]:2\", \":3\", \"unix:/run/x\"]\n"
                               "panel = \"127.0.0.1:9\"\nssi = false\npageviews = false\n"
                               "max_islands = 7\nisland_timeout = \"1500ms\"\n");
    REQUIRE(config.listen.size() == 4);
    CHECK(config.listen[0].describe() == "127.0.0.1:1");
    CHECK(config.listen[1].describe() == "[::1]:2");
    CHECK(config.listen[3].isUnix());
    CHECK(config.panel->port() == 9);
    CHECK_FALSE(config.ssi);
    CHECK_FALSE(config.pageviews);
    CHECK(config.maxIslands == 7);
    CHECK(config.islandTimeout == std::chrono::milliseconds(1500));
}

TEST_CASE("one address needs no list, and the panel may be off") {
    CHECK(parsed("listen = \":80\"\n").listen.size() == 1);
    CHECK_FALSE(parsed("panel = false\n").panel);
}

TEST_CASE("times have a unit") {
    struct Case {
        const char* text;
        std::chrono::milliseconds time;
    };
    for (const Case c :
         {Case{"1ms", std::chrono::milliseconds(1)}, Case{"30s", std::chrono::seconds(30)},
          Case{"5m", std::chrono::minutes(5)}})
        CHECK(parsed(std::string("island_timeout = \"") + c.text + "\"\n").islandTimeout == c.time);
    for (const char* text :
         {"", "5", "s", "5h", "-5s", "+5s", "5 s", "0s", "5.5s", "99999999999s"}) {
        INFO(text);
        CHECK(
            errorsOf(std::string("island_timeout = \"") + text + "\"\n").find("expected a time") !=
            std::string::npos);
    }
}

TEST_CASE("errors name place, and what was expected, all at once") {
    CHECK(errorsOf("ssi = 1\n") == "atoll.toml:1:7: `ssi`: expected true or false\n");
    const auto several = errorsOf("\nlisten = \"x\"\nmax_islands = 0\n");
    CHECK(several.find("atoll.toml:2:10: expected an address") != std::string::npos);
    CHECK(several.find("atoll.toml:3:15: `max_islands`: expected a number") != std::string::npos);
    const auto unknown = errorsOf("lisen = \":80\"\n");
    CHECK(unknown.find("unknown key `lisen`") != std::string::npos);
    CHECK(unknown.find("listen, panel") != std::string::npos);
    CHECK(errorsOf("ssi = \n").starts_with("atoll.toml:1:"));
}

TEST_CASE("a missing file is no error, an unreadable directory is") {
    reef::test::Scratch scratch;
    CHECK(readConfig(scratch.path().string()));
    CHECK(readConfig(scratch.path().string() + "/.")->directory ==
          std::filesystem::canonical(scratch.path()).string());
    const auto missing = readConfig("/no/such/directory");
    REQUIRE_FALSE(missing);
    CHECK(missing.error().front().describe().find("/no/such/directory") != std::string::npos);
    std::filesystem::create_directory(scratch.path() / "atoll.toml");
    CHECK_FALSE(readConfig(scratch.path().string()));
}
