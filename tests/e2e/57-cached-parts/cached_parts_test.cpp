// Parts of pages whose answers are kept, by what their includes or their routes say.
#include "harness/raw_client.h"
#include "harness/server.h"
#include "harness/text.h"

#include <catch2/catch.hpp>
#include <deque>

using namespace reef::e2e;

namespace {

std::string include(const std::string& target, const std::string& more = {}) {
    return "<!--#include virtual=\"" + target + "\" " + more + " -->";
}

/// An island that writes a line for each run into `log`, and answers with what `body` prints.
std::string counts(const Mailbox& log, const std::string& body, const std::string& fields = {}) {
    return "#!/bin/sh\necho run > " + log.path() + "\nprintf 'Content-Type: text/html\\n" + fields +
           "\\n'\n" + body + "\n";
}

std::size_t runs(Mailbox& log) {
    std::size_t count = 0;
    for (; !log.empty(); ++count)
        log.line();
    return count;
}

} // namespace

TEST_CASE("an include's ttl keeps the answer of its island, for every page that says the same") {
    Site site;
    Mailbox log(site.beside("log"));
    site.island("a.sh", counts(log, "printf \"[$DOCUMENT_URI $HTTP_COOKIE]\""));
    const auto part = include("/cgi-bin/a.sh", "ttl=\"1h\"");
    site.document("one.shtml", "1" + part + part).document("two.shtml", "2" + part);
    site.document("other.shtml", include("/cgi-bin/a.sh"));
    Server server(site);
    const std::string cookie = "Cookie: session=SECRET\r\n";
    CHECK(fetch(server.port(), "/one.shtml", cookie).body == "1[/cgi-bin/a.sh ][/cgi-bin/a.sh ]");
    CHECK(fetch(server.port(), "/two.shtml", cookie).body == "2[/cgi-bin/a.sh ]");
    CHECK(runs(log) == 1);
    CHECK(fetch(server.port(), "/other.shtml", cookie).body == "[/other.shtml session=SECRET]");
    CHECK(runs(log) == 1);
}

TEST_CASE("a page of kept parts goes out in one piece, with its length") {
    Site site;
    Mailbox log(site.beside("log"));
    site.island("a.sh", counts(log, "printf a"));
    site.document("page.shtml", "<" + include("/cgi-bin/a.sh?1", "ttl=\"1h\"") +
                                    include("/cgi-bin/a.sh?2", "ttl=\"1h\"") + ">");
    Server server(site);
    CHECK(fetch(server.port(), "/page.shtml").body == "<aa>");
    const auto page = fetch(server.port(), "/page.shtml");
    CHECK(page.body == "<aa>");
    CHECK(page.field("Content-Length") == "4");
    CHECK(runs(log) == 2);
}

TEST_CASE("what a page has set tells the answers of its parts apart") {
    Site site;
    Mailbox log(site.beside("log"));
    site.island("a.sh", counts(log, "printf \"[$who $HTTP_SSI_WHO]\""));
    site.document("page.shtml", "<!--#set var=\"who\" value=\"$QUERY_STRING\" -->" +
                                    include("/cgi-bin/a.sh", "ttl=\"1h\" headers=\"who\""));
    Server server(site);
    for (int i = 0; i != 2; ++i) {
        CHECK(fetch(server.port(), "/page.shtml?anna").body == "[anna anna]");
        CHECK(fetch(server.port(), "/page.shtml?bert").body == "[bert bert]");
    }
    CHECK(runs(log) == 2);
}

TEST_CASE("what includes say stands over times, and over nothing that is for one visitor") {
    Site site;
    Mailbox log(site.beside("log"));
    site.island("zero.sh", counts(log, "printf \"$HTTP_COOKIE\"", "Cache-Control: no-cache\\n"));
    site.island("mine.sh", counts(log, "printf \"$HTTP_COOKIE\"", "Cache-Control: private\\n"));
    site.document("zero.shtml", include("/cgi-bin/zero.sh", "ttl=\"1h\""));
    site.document("mine.shtml", include("/cgi-bin/mine.sh", "ttl=\"1h\""));
    Server server(site);
    for (const char* const visitor : {"a", "b", "c"}) {
        const auto cookie = std::string("Cookie: ") + visitor + "=1\r\n";
        CHECK(fetch(server.port(), "/zero.shtml", cookie).body.empty());
        CHECK(fetch(server.port(), "/mine.shtml", cookie).body == std::string(visitor) + "=1");
    }
    CHECK(runs(log) == 1 + 4);
}

TEST_CASE("a stale part is shown at once while it is made anew, and when it cannot be") {
    Site site;
    const auto how = site.beside("how");
    site.island("a.sh", "#!/bin/sh\nword=$(cat " + how.string() +
                            ")\n[ $word = fail ] && exit 1\n"
                            "printf 'Content-Type: text/plain\\n\\n%s' $word\n");
    writeFile(how, "old");
    site.document("page.shtml", include("/cgi-bin/a.sh", "ttl=\"1s\" stale=\"1h\""));
    Server server(site);
    CHECK(fetch(server.port(), "/page.shtml").body == "old");
    writeFile(how, "fail");
    const auto began = Clock::now();
    while (Clock::now() - began < 1500ms)
        CHECK(fetch(server.port(), "/page.shtml").body == "old");
    CHECK(server.awaitLog("a.sh"));
    writeFile(how, "new");
    CHECK(eventually([&] { return fetch(server.port(), "/page.shtml").body == "new"; }));
}

TEST_CASE("a page with a part that failed is shown, and not kept") {
    Site site;
    site.config("response_cache = { ttl = \"1h\" }\n");
    const auto how = site.beside("how");
    site.island("a.sh", "#!/bin/sh\nword=$(cat " + how.string() +
                            ")\n[ $word = fail ] && exit 1\n"
                            "printf 'Content-Type: text/plain\\n\\n%s' $word\n");
    writeFile(how, "fail");
    site.document("page.shtml", "(" + include("/cgi-bin/a.sh", "onerror=\"/calm.txt\"") + ")");
    site.document("calm.txt", "calm");
    Server server(site);
    CHECK(fetch(server.port(), "/page.shtml").body == "(calm)");
    writeFile(how, "well");
    CHECK(fetch(server.port(), "/page.shtml").body == "(well)");
    writeFile(how, "fail");
    CHECK(fetch(server.port(), "/page.shtml").body == "(well)");
    CHECK(fetch(server.port(), "/page.shtml").has("Age"));
}

TEST_CASE("kept pages that include each other come to an end, from whichever side") {
    Site site;
    site.config("response_cache = { ttl = \"1h\" }\n");
    site.document("a.shtml", "a" + include("/b.shtml"));
    site.document("b.shtml", "b" + include("/c.shtml") + include("/a.shtml"));
    site.document("c.shtml", "c" + include("/a.shtml"));
    Server server(site);
    std::deque<RawClient> clients;
    for (int i = 0; i != 12; ++i) {
        const char* const pages[] = {"/a.shtml", "/b.shtml", "/c.shtml"};
        clients.emplace_back(server.port()).get(pages[i % 3]);
    }
    for (RawClient& client : clients) {
        const auto page = client.response();
        CHECK(page.status == 200);
        CHECK(page.complete);
        CHECK(page.contains("abc"));
    }
}

TEST_CASE("one island at a time is enough for kept parts within kept parts") {
    Site site;
    site.config("max_islands = 1\nresponse_cache = { ttl = \"1h\" }\n");
    Mailbox log(site.beside("log"));
    site.island("outer.sh", counts(log, "echo 'o" + include("/cgi-bin/inner.sh") +
                                            include("/cgi-bin/inner.sh?2") + "'"));
    site.island("inner.sh", counts(log, "printf \"i$QUERY_STRING\""));
    site.document("page.shtml", include("/cgi-bin/outer.sh") + include("/cgi-bin/inner.sh") +
                                    include("/cgi-bin/outer.sh?x"));
    Server server(site);
    std::deque<RawClient> clients;
    for (int i = 0; i != 8; ++i)
        clients.emplace_back(server.port()).get("/page.shtml");
    for (RawClient& client : clients)
        CHECK(client.response().body == "oii2\nioii2\n");
    CHECK(runs(log) == 5); // what an island includes is kept apart from what a file does
}

TEST_CASE("a page that does not wait for a part any longer does not end it for others") {
    Site site;
    Mailbox log(site.beside("log"));
    Mailbox word(site.beside("word"));
    site.island("a.sh", "#!/bin/sh\necho run > " + log.path() + "\nread word < " + word.path() +
                            "\nprintf 'Content-Type: text/plain\\n\\n%s' $word\n");
    site.document("hasty.shtml", include("/cgi-bin/a.sh", "ttl=\"1h\" timeout=\"300ms\""));
    site.document("patient.shtml", include("/cgi-bin/a.sh", "ttl=\"1h\""));
    Server server(site);
    RawClient patient(server.port());
    patient.get("/patient.shtml");
    CHECK(log.line() == "run");
    CHECK(fetch(server.port(), "/hasty.shtml").contains("error"));
    CHECK(server.awaitLog("it took longer than 300 ms"));
    word.put("here");
    CHECK(patient.response().body == "here");
    CHECK(fetch(server.port(), "/hasty.shtml").body == "here");
    CHECK(log.empty());
}
