#include "app/config.h"
#include "app/demo_site.h"
#include "base/password_hash.h"
#include "scratch.h"

#include <catch2/catch.hpp>

using namespace reef;
using namespace reef::app;

namespace {

/// Parsed for a site in a directory of its own.
struct Fixture {
    std::expected<Config, std::vector<ConfigError>> parse(const std::string& text) const {
        return parseConfig(text, "atoll.toml", scratch.path().string());
    }

    std::string errorsOf(const std::string& text) const {
        const auto config = parse(text);
        std::string all;
        if (!config)
            for (const ConfigError& error : config.error())
                all += error.describe() + "\n";
        return all;
    }

    site::SiteSettings siteOf(const std::string& text) const {
        return parse(text).value().sites.front();
    }

    void directory(const std::string& name) const {
        std::filesystem::create_directories(scratch.path() / name);
    }

    test::Scratch scratch;
};

bool mentions(const std::string& text, const std::string& part) {
    CAPTURE(text, part);
    CHECK(text.find(part) != std::string::npos);
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE_METHOD(Fixture, "routes are taken in the order of the file") {
    const auto site =
        siteOf("[[route]]\npath = \"/old/*\"\nredirect = \"/new/$1\"\nstatus = 301\n"
               "[[route]]\nregex = '^/u/(\\d+)$'\nmethod = \"GET\"\nrewrite = \"/u.pl?id=$1\"\n"
               "[[route]]\npath = [\"*.bak\", \"*~\"]\nstatus = 404\n"
               "[[route]]\npath = \"/app/*\"\ntry = [\"$path\", \"/app/index.html\"]\n"
               "cache = \"private\"\nssi = false\nrate = \"1/m\"\nburst = 3\n");
    REQUIRE(site.routes.size() == 4);
    CHECK(site.routes[0].redirect->status == 301);
    CHECK(site.routes[0].redirect->location.source() == "/new/$1");
    CHECK(site.routes[1].match.regex);
    CHECK(site.routes[1].match.methods == std::vector<std::string>{"GET"});
    CHECK(site.routes[1].rewrite->source() == "/u.pl?id=$1");
    CHECK(site.routes[2].match.paths.size() == 2);
    CHECK(site.routes[2].respond == 404);
    CHECK(site.routes[3].conduct.tryFiles->size() == 2);
    CHECK(site.routes[3].conduct.cacheControl == "private");
    CHECK(site.routes[3].conduct.ssi == false);
    CHECK(site.routes[3].conduct.rate->rate().burst == 3);
}

TEST_CASE_METHOD(Fixture, "what a route cannot do is said at its place") {
    const auto route = [](const std::string& lines) {
        return "[[route]]\npath = \"/a/*\"\n" + lines;
    };
    mentions(errorsOf(route("redirect = \"/b/$2\"\n")),
             "atoll.toml:3:12: `redirect` in [[route]]: uses $2");
    mentions(errorsOf(route("redirect = \"b\"\n")), "expected a path or a URL");
    mentions(errorsOf(route("redirect = \"/b/$nope\"\n")), "unknown `$nope`");
    mentions(errorsOf(route("redirect = \"/b\"\nstatus = 200\n")),
             "expected a number from 301 to 308");
    mentions(errorsOf(route("redirect = \"/b\"\nstatus = 304\n")),
             "expected 301, 302, 303, 307 or 308");
    mentions(errorsOf(route("redirect = \"/b\"\nrewrite = \"/c\"\n")), "not both");
    mentions(errorsOf(route("rewrite = \"http://x/\"\n")), "expected a path of this site");
    mentions(errorsOf(route("rate = \"fast\"\n")), "such as \"10/s\"");
    mentions(errorsOf(route("allow = \"10.0.0.1/8\"\n")), "no bits behind the prefix");
    mentions(errorsOf(route("alias = \"nowhere\"\n")), "there is no directory");
    mentions(errorsOf(route("wombat = 1\n")), "unknown key `wombat` in [[route]]");
    mentions(errorsOf("[[route]]\npath = \"a/*/*\"\n"), "at most one `*`");
    mentions(errorsOf("[[route]]\nregex = '('\n"), "malformed at byte 1");
    mentions(errorsOf("[[route]]\npath = \"/x\"\nmethod = \"get\"\n"), "capital letters");
    mentions(errorsOf("[route]\npath = \"/x\"\n"), "[[route]] (with two brackets)");
    directory("pictures");
    mentions(errorsOf("[[route]]\npath = \"*.png\"\nalias = \"pictures\"\n"),
             "answers below one path");
}

TEST_CASE_METHOD(Fixture, "directories of routes answer below their path") {
    directory("pictures");
    directory("tools");
    const auto site = siteOf("[[route]]\npath = \"/p/*\"\nalias = \"pictures\"\n"
                             "[[route]]\npath = \"/t/*\"\nislands = \"tools\"\n");
    REQUIRE(site.documentMounts.size() == 1);
    CHECK(site.documentMounts[0].prefix == "/p/");
    CHECK(site.documentMounts[0].strip);
    CHECK(site.documentMounts[0].directory == (scratch.path() / "pictures").string());
    REQUIRE(site.islandMounts.size() == 1);
    CHECK(site.islandMounts[0].prefix == "/t/");
}

TEST_CASE_METHOD(Fixture, "other sites have hosts, and settings of their own") {
    directory("other");
    const auto config =
        parse("ssi = false\n[[site]]\nhosts = [\"Other.example\", \"*.other.example\"]\n"
              "root = \"other\"\n[[site.route]]\npath = \"/x\"\nstatus = 410\n")
            .value();
    REQUIRE(config.sites.size() == 2);
    CHECK(config.sites[1].hosts == std::vector<std::string>{"other.example", "*.other.example"});
    CHECK_FALSE(config.sites[1].conduct.ssi);
    CHECK(config.sites[1].routes.size() == 1);
    mentions(errorsOf("[[site]]\nroot = \"other\"\n"), "expected `hosts`");
    mentions(errorsOf("[[site]]\nhosts = \"http://x\"\nroot = \"other\"\n"),
             "without scheme and port");
    mentions(errorsOf("[[site]]\nhosts = \"x\"\n"), "nothing would answer");
    mentions(errorsOf("[[site]]\nhosts = \"x\"\nroot = \"other\"\n[[site]]\nhosts = \"x\"\nroot = "
                      "\"other\"\n"),
             "two sites have the host \"x\"");
    mentions(errorsOf("[[site]]\nhosts = \"x\"\nroot = \"other\"\nlisten = \":1\"\n"),
             "unknown key `listen`");
}

TEST_CASE_METHOD(Fixture, "users have hashes, in the file or in one of their own") {
    const auto hash = hashPassword("open sesame", 1000);
    test::writeContent(scratch.path() / "users", "# a comment\n\nbert:" + hash + "\n");
    CHECK(siteOf("auth = { users = { anna = \"" + hash + "\" } }\n").conduct.auth.value() !=
          nullptr);
    CHECK(siteOf("auth = { realm = \"R\", file = \"users\" }\n").conduct.auth.value()->realm() ==
          "R");
    CHECK(siteOf("auth = false\n").conduct.auth.value() == nullptr);
    mentions(errorsOf("auth = { users = { anna = \"plain\" } }\n"),
             "the password of anna: expected a hash");
    mentions(errorsOf("auth = { file = \"missing\" }\n"), "cannot read");
    mentions(errorsOf("auth = { realm = \"R\" }\n"), "nobody could enter");
    mentions(errorsOf("auth = true\n"), "expected false, or a table");
    test::writeContent(scratch.path() / "users", "bert:$apr1$weak\n");
    mentions(errorsOf("auth = { file = \"users\" }\n"), "users line 1");
}

TEST_CASE_METHOD(Fixture, "headers, error pages and types are checked") {
    const auto site = siteOf("[headers]\nX-A = \"b\"\n[errors]\n404 = "
                             "\"/404.html\"\n[media_types]\n\".MD\" = \"text/markdown\"\n");
    CHECK(site.conduct.headers.size() == 1);
    CHECK(site.errorDocuments.at(404) == "/404.html");
    CHECK(site.mediaTypes.at(0).extension == "md");
    mentions(errorsOf("[headers]\n\"X A\" = \"b\"\n"), "no field that can be set here");
    mentions(errorsOf("[headers]\nContent-Length = \"1\"\n"), "no field that can be set here");
    mentions(errorsOf("[headers]\nX-A = \"b\\nc\"\n"), "without line breaks");
    mentions(errorsOf("[errors]\n200 = \"/x\"\n"), "from 400 to 599");
    mentions(errorsOf("[errors]\n404 = \"x\"\n"), "expected a path of this site");
    mentions(errorsOf("[media_types]\nmd = \"text/markdown\"\n"), "expected an extension");
}

TEST_CASE_METHOD(Fixture,
                 "how islands are run and answered for is read for a site and its routes") {
    directory("files");
    const auto config = parse("interpreters = { \".SX\" = \"/bin/sh\" }\n"
                              "sendfile_roots = [\"files\"]\npass_authorization = true\n"
                              "[[route]]\npath = \"/inner/*\"\ninternal = true\n"
                              "interpreters = {}\nquery_arguments = true\n"
                              "pass_authorization = false\n");
    REQUIRE(config);
    const auto& site = config->sites.at(0);
    REQUIRE(site.conduct.interpreters);
    CHECK(site.conduct.interpreters->programFor("a.sx") == "/bin/sh");
    CHECK(site.conduct.passAuthorization == true);
    CHECK(site.sendfileRoots == std::vector{(scratch.path() / "files").string()});
    const auto& route = site.routes.at(0).conduct;
    CHECK(route.internal == true);
    CHECK(route.queryArguments == true);
    CHECK(route.passAuthorization == false);
    REQUIRE(route.interpreters);
    CHECK(route.interpreters->empty());

    mentions(errorsOf("sendfile_roots = [\"none\"]\n"), "there is no directory");
    mentions(errorsOf("interpreters = { \".x\" = \"/no/such/program\" }\n"), "there is no program");
    for (const char* wrong :
         {"{ \"php\" = \"/bin/sh\" }", "{ \".\" = \"/bin/sh\" }", "{ \".a.b\" = \"/bin/sh\" }",
          "{ \"./a\" = \"/bin/sh\" }", "{ \".a\" = \"sh\" }", "{ \".a\" = 5 }"})
        mentions(errorsOf(std::string("interpreters = ") + wrong + "\n"), "expected an extension");
}

TEST_CASE_METHOD(Fixture, "what is kept of answers is read, and what cannot be meant is refused") {
    const auto config = parse("response_cache = true\n[[route]]\npath = \"/a\"\n"
                              "response_cache = { ttl = \"90s\", stale = \"1500ms\", headers = "
                              "[\"X-B\", \"Accept-Language\", \"x-b\"], cookies = \"lang\" }\n"
                              "[[route]]\npath = \"/b\"\nresponse_cache = false\n");
    REQUIRE(config);
    const auto& site = config->sites[0];
    REQUIRE(site.conduct.responseCache);
    REQUIRE(*site.conduct.responseCache != nullptr);
    CHECK((*site.conduct.responseCache)->ttl.count() == 0);
    const auto& rules = **site.routes[0].conduct.responseCache;
    CHECK(rules.ttl.count() == 90'000);
    CHECK(rules.stale.count() == 1500);
    CHECK(rules.staleIfError.count() == 0);
    CHECK(rules.headers == std::vector<std::string>{"accept-language", "x-b"});
    CHECK(rules.cookies == std::vector<std::string>{"lang"});
    CHECK(*site.routes[1].conduct.responseCache == nullptr);
    const auto refused = [&](const std::string& value, const std::string& part) {
        mentions(errorsOf("response_cache = " + value + "\n"), part);
    };
    refused("\"60s\"", "expected true, false, or a table");
    refused("{ ttl = \"soon\" }", "expected a time");
    refused("{ headers = \"Cookie\" }", "`cookies` for cookies");
    refused("{ headers = \"If-None-Match\" }", "no field that answers can be kept by");
    refused("{ headers = \"a b\" }", "no field that answers can be kept by");
    refused("{ cookies = \"a=b\" }", "names of cookies");
    refused("{ keep = true }", "unknown key `keep`");
    const auto limits = parse("[limits]\ncache_memory = \"0\"\ncache_answer = \"2KB\"\n");
    REQUIRE(limits);
    CHECK(limits->cache.memory == 0);
    CHECK(limits->cache.answer == 2048);
}

TEST_CASE_METHOD(Fixture,
                 "the example that documents every key is right, also without its comment signs") {
    std::string example;
    for (const EmbeddedFile& file : demoFiles())
        if (file.path == "atoll.toml") example = file.bytes;
    REQUIRE(example.size() > 1000);
    CHECK(errorsOf(example).empty());

    for (const auto* name :
         {"www", "cgi-bin", "tools", "files", "data", "sites/example/www", "sites/example/cgi-bin"})
        directory(name);
    const auto hash = hashPassword("open sesame", 1000);
    test::writeContent(scratch.path() / "data/passwords", "bert:" + hash + "\n");
    std::string live;
    std::istringstream lines(example);
    for (std::string line; std::getline(lines, line);)
        live +=
            (line.starts_with("#") && line.size() > 1 && line[1] != ' ' ? line.substr(1) : line) +
            "\n";
    const auto replaceAll = [&live](const std::string& from, const std::string& to) {
        for (auto at = live.find(from); at != std::string::npos;
             at = live.find(from, at + to.size()))
            live.replace(at, from.size(), to);
    };
    replaceAll("pbkdf2-sha256$...", hash);
    replaceAll("/usr/bin/php-cgi", "/bin/sh");
    replaceAll("/usr/bin/python3", "/bin/sh");
    replaceAll("/srv/pictures\"        #", scratch.path().string() + "\"#");
    CHECK(errorsOf(live).empty());
    const auto config = parse(live);
    REQUIRE(config);
    CHECK(config->sites.size() == 2);
    CHECK(config->sites[0].routes.size() == 8);
}

TEST_CASE_METHOD(
    Fixture, "a pattern that no request can meet, and a target with a line break, are refused") {
    mentions(errorsOf("[[route]]\npath = \"/my%20page\"\nstatus = 403\n"),
             "atoll.toml:2:8: `path` in [[route]]: \"/my%20page\" has an escape");
    for (const char* line : {"redirect = \"/a\\r\\nb\"\n", "rewrite = \"/a\\tb\"\n",
                             "try = [\"/a\\nb\"]\n", "redirect = \"/\\u007f\"\n"})
        mentions(errorsOf(std::string("[[route]]\npath = \"/x\"\n") + line), "line break");
}

TEST_CASE_METHOD(Fixture, "one mistake gives one error, which is true") {
    const auto one = [&](const std::string& text, const std::string& part) {
        const auto config = parse(text);
        REQUIRE_FALSE(config);
        CHECK(config.error().size() == 1);
        mentions(config.error().front().describe(), part);
    };
    directory("other");
    one("[[site]]\nhosts = [\"*\"]\nroot = \"other\"\n", "`*` needs no site of its own");
    one("[[site]]\nhosts = [\"x\"]\nroot = \"missing\"\n", "there is no directory");
    one("auth = { users = { anna = \"plain\" } }\n", "the password of anna");
    one("[[route]]\npath = \"/p/*\"\nroot = \"other\"\nalias = \"other\"\n", "not both");
    one("[[site]]\nhosts = \"x\"\nroot = \"other\"\nlisten = \":1\"\n",
        "unknown key `listen` in [[site]]; only the top level has it");
    one("sli = true\n", "did you mean `ssi`?");
    one("sx = true\n", "expected one of");
    one("wombat_of_the_" + std::string(500, 'x') + " = true\n", "expected one of");
}

TEST_CASE_METHOD(Fixture, "what can be used and is hardly meant is a warning") {
    const auto warned = [&](const std::string& text, const std::string& part) {
        const auto config = parse(text);
        REQUIRE(config);
        REQUIRE(config->warnings.size() == 1);
        mentions(config->warnings.front().describe(), part);
    };
    warned("index = [\"index.html\", \"sub/index.html\"]\n", "atoll.toml:1:9: `index`");
    warned("index = \"..\"\n", "never found");
    warned("burst = 3\n", "no meaning without `rate`");
    warned("auth = { users = { anna = \"" + hashPassword("x", 9'999) + "\" } }\n",
           "fewer than 10000 rounds");
    CHECK(parse("auth = { users = { anna = \"" + hashPassword("x", 10'000) + "\" } }\n")
              ->warnings.empty());
    CHECK(parse("rate = \"1/s\"\nburst = 3\n")->warnings.empty());
}
