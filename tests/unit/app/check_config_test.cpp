#include "app/check_config.h"
#include "app/server_user.h"
#include "scratch.h"

#include <catch2/catch.hpp>

using namespace reef;
using namespace reef::app;

namespace {

/// The faults of a configuration, a line each.
std::string faultsOf(const std::string& text) {
    const test::Scratch scratch;
    std::filesystem::create_directories(scratch / "www");
    std::filesystem::create_directories(scratch / "data");
    const auto config = parseConfig(text, "atoll.toml", scratch.path().string());
    REQUIRE(config);
    std::string all;
    for (const std::string& fault : faultsOfConfig(*config, ownIdentity()))
        all += fault + "\n";
    return all;
}

bool holds(const std::string& text, const std::string& part) {
    CAPTURE(text, part);
    CHECK(text.find(part) != std::string::npos);
    return text.find(part) != std::string::npos;
}

std::string route(const std::string& lines) {
    return "[[route]]\n" + lines;
}

} // namespace

TEST_CASE("a guarded island whose path-info is open is a fault, and the right path is named") {
    const std::string guard = "allow = \"192.0.2.1\"\n";
    holds(faultsOf(route("path = \"/cgi-bin/adm.pl\"\n" + guard)),
          "write path = [\"/cgi-bin/adm.pl\", \"/cgi-bin/adm.pl/*\"]");
    CHECK(faultsOf(route("path = [\"/cgi-bin/adm.pl\", \"/cgi-bin/adm.pl/*\"]\n" + guard)).empty());
    CHECK(faultsOf(route("path = \"/cgi-bin/adm.pl\"\n" + guard) +
                   route("path = \"/cgi-bin/*\"\n" + guard))
              .empty());
    CHECK(faultsOf(route("path = \"/adm.html\"\n" + guard)).empty());
    CHECK(faultsOf(route("path = \"/cgi-bin/adm.pl\"\ncache = \"no-store\"\n")).empty());
}

TEST_CASE("the same holds for documents that an interpreter runs, and for all of an extension") {
    const std::string guard = "allow = \"192.0.2.1\"\n";
    const std::string runs = "interpreters = { \".php\" = \"/usr/bin/php-cgi\" }\n";
    holds(faultsOf(runs + route("path = \"/adm.php\"\n" + guard)),
          "write path = [\"/adm.php\", \"/adm.php/*\"]");
    CHECK(faultsOf(route("path = \"/adm.php\"\n" + guard)).empty());
    CHECK(faultsOf(runs + route("path = \"/adm.html\"\n" + guard)).empty());
    CHECK(faultsOf(runs + route("path = \"/adm.php*\"\n" + guard)).empty());
    holds(faultsOf(route("path = \"/adm/*\"\n" + runs) + route("path = \"/adm/a.php\"\n" + guard)),
          "/adm/a.php/anything runs the same island unguarded");
    CHECK(faultsOf(route("path = \"/adm/*\"\n" + runs) + route("path = \"/a.php\"\n" + guard))
              .empty());
    holds(faultsOf(runs + route("path = \"*.php\"\n" + guard)), "write regex = '\\.php(/|$)'");
    holds(faultsOf(route("path = \"/cgi-bin/*.pl\"\n" + guard)),
          "/cgi-bin/x.pl/anything runs the same island");
    CHECK(faultsOf(runs + route("regex = '\\.php(/|$)'\n" + guard)).empty());
}

TEST_CASE("a route that leads to itself is a fault") {
    for (const char* lines :
         {"redirect = \"/x\"\n", "rewrite = \"/x\"\n", "rewrite = \"/a$path\"\n",
          "redirect = \"$path\"\n", "path = \"/*\"\nrewrite = \"/index.html\"\n",
          "regex = 'html$'\nredirect = \"/y.html?a=b\"\n"})
        holds(faultsOf(route(lines)), "leads there for ever");
    for (const char* lines :
         {"redirect = \"https://example.org$path\"\n", "path = \"/a/*\"\nredirect = \"/b/\"\n",
          "method = \"POST\"\nredirect = \"/x\"\n", "path = \"/old/*\"\nredirect = \"/new/$1\"\n"})
        CHECK(faultsOf(route(lines)).empty());
    CHECK(faultsOf(route("path = \"/x\"\nstatus = 410\n") + route("rewrite = \"/x\"\n")).empty());
}

TEST_CASE("one port for two addresses is a fault") {
    holds(faultsOf("panel = false\nlisten = [\"127.0.0.1:8080\", \"0.0.0.0:8080\"]\n"),
          "the same port twice");
    holds(faultsOf("listen = \":8081\"\n"), "the same port twice");
    holds(faultsOf("listen = \"127.0.0.1:8081\"\n"), "are the same address");
    CHECK(faultsOf("listen = [\"0.0.0.0:8080\", \"[::]:8080\"]\n").empty());
    CHECK(faultsOf("listen = [\"127.0.0.1:1\", \"127.0.0.2:1\", \"unix:/run/a\"]\n").empty());
}

TEST_CASE("an access log that cannot be written, or that visitors can read, is a fault") {
    holds(faultsOf("access_log = \"missing/a.log\"\n"), "there is no directory");
    holds(faultsOf("access_log = \"data\"\n"), "is a directory");
    holds(faultsOf("access_log = \"www/a.log\"\n"), "every visitor can read it");
    CHECK(faultsOf("access_log = true\n").empty());
    process::Identity nobody;
    nobody.user = nobody.group = 65534;
    const test::Scratch scratch;
    const auto config =
        parseConfig("access_log = \"a.log\"\n", "atoll.toml", scratch.path().string());
    REQUIRE(config);
    const auto faults = faultsOfConfig(*config, nobody);
    REQUIRE(faults.size() == 1);
    holds(faults.front(), "may not make files in");
}

TEST_CASE("what the reader of the file has warned of is a fault with its place") {
    holds(faultsOf("burst = 3\n"), "atoll.toml:1:9: `burst`");
}
