#include "harness/command.h"
#include "harness/raw_client.h"
#include "harness/server.h"
#include "harness/text.h"

#include <catch2/catch.hpp>

using namespace reef::e2e;

TEST_CASE("a wrong setting is named with its place and with what was expected") {
    struct Case {
        const char* text;
        const char* place;
        const char* said;
    };
    const Case cases[] = {
        {"ssi = \"yes\"\n", ":1:7: ", "`ssi`: expected true or false"},
        {"\n\n  pageviews = 1\n", ":3:15: ", "`pageviews`: expected true or false"},
        {"listen = 80\n", ":1:10: ", "expected an address"},
        {"listen = \"nonsense\"\n", ":1:10: ", "expected an address such as"},
        {"listen = []\n", ":1:10: ", "expected an address such as"},
        {"listen = [\n  \":8080\",\n  \":99999\",\n]\n", ":3:3: ", "expected an address such as"},
        {"panel = true\n", ":1:9: ", "expected an address"},
        {"max_islands = 0\n", ":1:15: ", "expected a number from 1 to 10000"},
        {"max_islands = 1.5\n", ":1:15: ", "expected a number from 1 to 10000"},
        {"island_timeout = 30\n", ":1:18: ", "expected text"},
        {"island_timeout = \"30 parsecs\"\n", ":1:18: ", "expected a time such as"},
        {"island_timeout = \"0s\"\n", ":1:18: ", "expected a time such as"},
        {"lisen = \":80\"\n", ":1:", "unknown key `lisen`; did you mean `listen`?"},
        {"ssi = true\nssi = false\n", ":2:", ""},
        {"ssi = \n", ":1:", ""},
        {"ssi = tru\n", ":1:", ""},
        {"= 3\n", ":1:", ""},
        {"ssi = true\n[unfinished\n", ":2:", ""},
        {"ssi = true # \xff\xfe\n", ":1:", ""},
    };
    Site site;
    for (const Case& c : cases) {
        INFO(c.text);
        site.config(c.text);
        const auto file = (site.directory() / "atoll.toml").string();
        for (const char* command : {"check", "serve"}) {
            const auto outcome = runAtoll({command, site.directory()});
            INFO(command << ": " << outcome.err);
            CHECK(outcome.ending.code == 1);
            CHECK(holds(outcome.err, file + c.place));
            CHECK(holds(outcome.err, c.said));
        }
    }
}

TEST_CASE("all errors of a file are named at once") {
    Site site;
    site.config("ssi = 1\nlisten = 2\nmax_islands = \"three\"\nfour = 4\n");
    const auto outcome = runAtoll({"check", site.directory()});
    for (const char* place : {":1:", ":2:", ":3:", ":4:"})
        CHECK(holds(outcome.err, "atoll.toml" + std::string(place)));
}

TEST_CASE("a right file is right, and an empty one too") {
    Site site;
    for (const char* text : {"", "# nothing\n", "listen = \":8080\"\n",
                             "listen = [\"127.0.0.1:8080\", \"[::1]:8080\"]\n", "panel = false\n",
                             "panel = \"127.0.0.1:9000\"\nssi = false\npageviews = false\n",
                             "max_islands = 1\nisland_timeout = \"250ms\"\n"}) {
        INFO(text);
        site.config(text);
        const auto outcome = runAtoll({"check", site.directory()});
        CHECK(outcome.clean());
        CHECK(outcome.err.empty());
    }
}

TEST_CASE("addresses in the file are listened at") {
    Site site;
    site.document("index.html", "home");
    const auto socket = site.beside("from-file.sock").string();
    site.config("listen = \"unix:" + socket + "\"\npanel = false\n");
    // The command line's address stands instead of the file's.
    {
        Server server(site);
        CHECK(fetch(server.port(), "/").body == "home");
        CHECK_FALSE(std::filesystem::exists(socket));
    }
    Server server(site, FromFile());
    const auto outcome =
        shell("curl -sS --max-time 20 --unix-socket " + socket + " http://localhost/");
    INFO(outcome.err);
    CHECK(outcome.out == "home");
}

TEST_CASE("a page for failures that is not there is told once, and by the check") {
    Site site;
    site.document("index.html", "home");
    site.config("[errors]\n404 = \"/404.html\"\n");
    const auto checked = runAtoll({"check", site.directory()});
    CHECK(checked.ending.code == 2);
    CHECK(holds(checked.err, "[errors] 404 = \"/404.html\": there is no such file"));
    Server server(site);
    for (int i = 0; i != 5; ++i)
        CHECK(fetch(server.port(), "/nowhere").status == 404);
    const std::string told = "the page for status 404, /404.html, failed: not found";
    REQUIRE(server.awaitLog(told));
    const auto log = server.log();
    CHECK(log.find(told) == log.rfind(told));
}

TEST_CASE("the help of the check tells its exit statuses") {
    const auto outcome = runAtoll({"help", "check"});
    CHECK(holds(outcome.out, "1 the configuration cannot be used, 2 faults were found"));
}
