// How a page came about: `atoll explain`, Server-Timing.
#include "harness/command.h"
#include "harness/http_client.h"
#include "harness/raw_client.h"
#include "harness/server.h"
#include "harness/text.h"

#include <catch2/catch.hpp>

using namespace reef::e2e;

namespace {

constexpr const char* kNap = "#!/bin/sh\nsleep 0.3\nprintf 'Content-Type: text/html\\n\\nslept'\n";
constexpr const char* kDies = "#!/bin/sh\necho 'no tide table for \\033[31m1870' >&2\nexit 3\n";

std::string include(const std::string& target, const std::string& more = {}) {
    return "<!--#include virtual=\"" + target + "\" " + more + " -->";
}

std::string explained(const Site& site, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "explain");
    arguments.push_back(site.directory().string());
    const auto outcome = runAtoll(arguments);
    CHECK(outcome.clean());
    CHECK(outcome.err.empty());
    return outcome.out;
}

} // namespace

TEST_CASE(
    "explain shows when each part of a page began and ended, how it fared, and what it said") {
    Site site;
    site.island("nap.sh", kNap).island("dies.sh", kDies);
    site.document("part.html", std::string(2000, 'p'));
    site.document("inner.shtml", include("part.html"));
    site.document("page.shtml",
                  include("/cgi-bin/nap.sh") + include("part.html") + include("inner.shtml") +
                      include("/cgi-bin/dies.sh", "retry=\"1\" fallback=\"/part.html\"") +
                      include("/cgi-bin/nap.sh?late", "timeout=\"50ms\"") + include("gone.html"));
    Server server(site);
    const auto text = explained(site, {"/page.shtml?x=1"});
    CAPTURE(text);
    CHECK(text.starts_with("/page.shtml?x=1  200, "));
    CHECK(holds(text, "/cgi-bin/nap.sh  "));
    CHECK(holds(text, "  /part.html  ")); // one deeper than its page
    CHECK(holds(text, "2 attempts"));
    CHECK(holds(text, "something stands in for it"));
    CHECK(holds(text, "stderr: no tide table for \\x1b[31m1870"));
    CHECK(holds(text, "504  /cgi-bin/nap.sh?late"));
    CHECK(holds(text, "it took longer than 50 ms"));
    CHECK(holds(text, "404  /gone.html"));
    CHECK(holds(text, "█"));
    CHECK_FALSE(holds(text, "\033"));

    const auto json = explained(site, {"--json", "/page.shtml"});
    CHECK(holds(json, "\"target\":\"/cgi-bin/dies.sh\",\"depth\":1,\"line\":1,\"status\":200"));
    CHECK(holds(json, "\"lastError\":\"no tide table"));
}

TEST_CASE("explain tells the last pages and the slowest islands") {
    Site site;
    site.island("nap.sh", kNap);
    site.document("page.shtml", include("/cgi-bin/nap.sh"));
    Server server(site);
    CHECK(holds(explained(site, {}), "no page was composed"));
    CHECK(fetch(server.port(), "/page.shtml?first").body == "slept");
    CHECK(fetch(server.port(), "/page.shtml?second").body == "slept");
    const auto text = explained(site, {});
    CAPTURE(text);
    const auto json = explained(site, {"--json"});
    const auto first = json.find("/page.shtml?first");
    const auto second = json.find("/page.shtml?second");
    REQUIRE(first != std::string::npos);
    CHECK(second < first);
    CHECK(holds(text, "SLOWEST ISLANDS"));
    CHECK(holds(text, "/cgi-bin/nap.sh"));
}

TEST_CASE("explain says what answered when that was no page, and what was wrong with its words") {
    Site site;
    site.document("plain.html", "plain");
    site.config("[[site]]\nhosts = [\"other.example\"]\nroot = \"other\"\n");
    std::filesystem::create_directories(site.directory() / "other");
    writeFile(site.directory() / "other/only.html", "here");
    Server server(site);
    CHECK(holds(explained(site, {"/plain.html"}), "/plain.html  200, 5 bytes in "));
    CHECK(holds(explained(site, {"http://other.example/only.html"}), "200, 4 bytes"));
    CHECK(holds(explained(site, {"/only.html"}), "404"));
    const auto wrong = runAtoll({"explain", "page.shtml", site.directory().string()});
    CHECK(wrong.ending.code == 1);
    CHECK(holds(wrong.err, "expected a path such as /page.shtml"));
    const auto nobody = runAtoll({"explain", "/page.shtml", site.beside("").string()});
    CHECK(nobody.ending.code == 1);
}

TEST_CASE("a page tells its browser how long its parts took, where the site wants that") {
    Site site;
    site.config("[[route]]\npath = \"/told/*\"\nserver_timing = true\n");
    site.island("nap.sh", kNap);
    site.document("part.html", "part");
    const auto page = include("/part.html") + include("/part.html");
    site.document("told/quick.shtml", page).document("quick.shtml", page);
    site.document("told/slow.shtml", include("/cgi-bin/nap.sh"));
    Server server(site);
    HttpClient client(server.port());
    CHECK_FALSE(client.get("/quick.shtml").has("Server-Timing"));
    const auto quick = client.get("/told/quick.shtml").field("Server-Timing");
    CHECK(quick.starts_with("page;dur="));
    CHECK(holds(quick, ", f1;desc=\"/part.html\";dur="));
    CHECK(holds(quick, ", f2;desc=\"/part.html\";dur="));

    RawClient raw(server.port());
    raw.send("GET /told/slow.shtml HTTP/1.1\r\nHost: x\r\nTE: trailers\r\nConnection: TE, "
             "close\r\n\r\n");
    std::string all;
    for (auto some = raw.readSome(); !some.empty(); some = raw.readSome())
        all += some;
    CAPTURE(all);
    CHECK(holds(all, "\r\nTrailer: Server-Timing\r\n"));
    const auto end = all.find("\r\n0\r\nServer-Timing: page;dur=");
    REQUIRE(end != std::string::npos);
    CHECK(holds(all.substr(end), ", f1;desc=\"/cgi-bin/nap.sh\";dur=3"));
    CHECK(all.ends_with("\r\n\r\n"));
    // A client that does not ask for trailers gets none: some take them for the next answer.
    CHECK(client.get("/told/slow.shtml").body == "slept");
    CHECK(client.get("/told/slow.shtml").body == "slept");
}
