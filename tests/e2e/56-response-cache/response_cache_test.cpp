#include "harness/http_client.h"
#include "harness/raw_client.h"
#include "harness/server.h"
#include "harness/text.h"

#include <catch2/catch.hpp>
#include <deque>
#include <memory>

using namespace reef::e2e;

namespace {

constexpr const char* kHead = "printf 'Content-Type: text/plain\\n\\n'\n";

std::string route(const std::string& rules, const std::string& path = "/cgi-bin/*") {
    return "[[route]]\npath = \"" + path + "\"\nresponse_cache = " + rules + "\n";
}

/// An island that writes a line for each run into `log`, and answers with what `body` prints.
std::string counts(const Mailbox& log, const std::string& body,
                   const std::string& head = "printf 'Content-Type: text/plain\\n\\n'\n") {
    return "#!/bin/sh\necho run > " + log.path() + "\n" + head + body + "\n";
}

std::size_t runs(Mailbox& log) {
    std::size_t count = 0;
    for (; !log.empty(); ++count)
        log.line();
    return count;
}

std::string status(const Site& site) {
    return runAtoll({"status", "--json", site.directory()}).out;
}

/// An island that tells that it runs, and answers after a word.
std::string waits(const Mailbox& log, const Mailbox& word, const std::string& fields = {}) {
    return "#!/bin/sh\necho run > " + log.path() + "\nread word < " + word.path() +
           "\nprintf 'Content-Type: text/plain\\n" + fields + "\\n'\necho \"$word\"\n";
}

using Clients = std::deque<RawClient>;

RawClient& ask(Clients& clients, const Server& server, const std::string& target,
               const std::string& fields = {}) {
    clients.emplace_back(server.port()).get(target, fields);
    return clients.back();
}

/// Waits until so many requests follow a run that another has begun.
bool awaitCoalesced(const Site& site, int count) {
    return eventually(
        [&] { return holds(status(site), "\"coalesced\":" + std::to_string(count) + ","); });
}

} // namespace

TEST_CASE("an answer is kept for its time, with its age, and is made anew after it") {
    Site site;
    site.config(route("{ ttl = \"1500ms\" }"));
    Mailbox log(site.beside("log"));
    site.island("a.sh", counts(log, "echo answer $$"));
    Server server(site);
    const auto first = fetch(server.port(), "/cgi-bin/a.sh?x");
    CHECK(first.status == 200);
    CHECK(first.field("Cache-Status") == "atoll; fwd=uri-miss; stored");
    CHECK_FALSE(first.has("Age"));
    const auto second = fetch(server.port(), "/cgi-bin/a.sh?x");
    CHECK(second.body == first.body);
    CHECK(holds(second.field("Cache-Status"), "atoll; hit; ttl="));
    CHECK(second.has("Age"));
    CHECK(second.field("Content-Length") == std::to_string(first.body.size()));
    CHECK(runs(log) == 1);
    CHECK(fetch(server.port(), "/cgi-bin/a.sh?y").body != first.body);
    CHECK(eventually([&] { return fetch(server.port(), "/cgi-bin/a.sh?x").body != first.body; }));
    CHECK(holds(status(site), "\"cache\":{\"answers\":2"));
    CHECK(holds(runAtoll({"status", site.directory()}).out, "  cache    2 answers"));
}

TEST_CASE("fifty requests at once share one run, on whatever loop they come in") {
    Site site;
    site.config(route("{ ttl = \"1h\" }"));
    Mailbox log(site.beside("log"));
    Mailbox word(site.beside("word"));
    site.island("a.sh", waits(log, word));
    Server server(site);
    Clients clients;
    for (int i = 0; i != 50; ++i)
        ask(clients, server, "/cgi-bin/a.sh");
    CHECK(awaitCoalesced(site, 49));
    word.put("coral");
    std::size_t collapsed = 0;
    for (RawClient& client : clients) {
        const auto answer = client.response();
        CHECK(answer.body == "coral\n");
        collapsed += holds(answer.field("Cache-Status"), "collapsed") ? 1 : 0;
    }
    CHECK(collapsed == 49);
    CHECK(runs(log) == 1);
}

TEST_CASE("who follows a run has its first byte when the first one has") {
    Site site;
    site.config(route("{ ttl = \"1h\" }"));
    Mailbox log(site.beside("log"));
    Mailbox word(site.beside("word"));
    site.island("a.sh", std::string("#!/bin/sh\n") + kHead + "echo first\necho run > " +
                            log.path() + "\nread word < " + word.path() + "\necho last\n");
    Server server(site);
    Clients clients;
    ask(clients, server, "/cgi-bin/a.sh").readUntil("first\n");
    for (int i = 0; i != 8; ++i)
        ask(clients, server, "/cgi-bin/a.sh").readUntil("first\n");
    word.put("go");
    for (RawClient& client : clients)
        client.readUntil("last\n");
    CHECK(runs(log) == 1);
}

TEST_CASE("a stale answer is given at once while one run makes it anew") {
    Site site;
    site.config(route("{ ttl = \"100ms\", stale = \"1h\" }"));
    Mailbox log(site.beside("log"));
    Mailbox word(site.beside("word"));
    site.island("a.sh", waits(log, word));
    Server server(site);
    word.put("old");
    CHECK(fetch(server.port(), "/cgi-bin/a.sh").body == "old\n");
    CHECK(log.line() == "run");
    CHECK(eventually([&] {
        const auto answer = fetch(server.port(), "/cgi-bin/a.sh");
        CHECK(answer.body == "old\n");
        return holds(answer.field("Cache-Status"), "refresh");
    }));
    CHECK(log.line() == "run");
    for (int i = 0; i != 10; ++i)
        CHECK(fetch(server.port(), "/cgi-bin/a.sh").body == "old\n");
    CHECK(log.empty());
    word.put("new");
    CHECK(eventually([&] { return fetch(server.port(), "/cgi-bin/a.sh").body == "new\n"; }));
    // By now that one may be stale as well, and another run at work.
    word.put("newer");
}

TEST_CASE("a stale answer stands in for an island that fails, in whatever way") {
    Site site;
    site.config("island_timeout = \"1s\"\n" + route("{ ttl = \"50ms\", stale_if_error = \"1h\" }"));
    const auto how = site.beside("how");
    site.island("a.sh",
                "#!/bin/sh\ncase $(cat " + how.string() +
                    ") in\nwell) printf 'Content-Type: text/plain\\n\\nwell\\n';;\n"
                    "status) printf 'Status: 503\\nContent-Type: text/plain\\n\\nbad\\n';;\n"
                    "kill) kill -9 $$;;\nsilent) sleep 30;;\nnothing) exit 1;;\nesac\n");
    writeFile(how, "well");
    Server server(site);
    CHECK(fetch(server.port(), "/cgi-bin/a.sh").body == "well\n");
    for (const char* const each : {"status", "kill", "silent", "nothing"}) {
        INFO(each);
        writeFile(how, each);
        CHECK(eventually([&] {
            const auto answer = fetch(server.port(), "/cgi-bin/a.sh");
            CHECK(answer.status == 200);
            CHECK(answer.body == "well\n");
            return holds(answer.field("Cache-Status"), "failure");
        }));
    }
    // Nothing was kept of those, and nothing is there for another query.
    writeFile(how, "kill");
    CHECK(fetch(server.port(), "/cgi-bin/a.sh?other").status == 502);
    writeFile(how, "well");
    CHECK(fetch(server.port(), "/cgi-bin/a.sh?other").body == "well\n");
}

TEST_CASE("answers are told apart by the chosen cookies and fields") {
    Site site;
    site.config(route("{ ttl = \"1h\", headers = [\"Accept-Language\"], cookies = [\"theme\"] }"));
    Mailbox log(site.beside("log"));
    site.island("a.sh", counts(log, "echo \"$HTTP_ACCEPT_LANGUAGE|$HTTP_COOKIE\""));
    Server server(site);
    const auto get = [&](const std::string& fields) {
        return fetch(server.port(), "/cgi-bin/a.sh", fields).body;
    };
    CHECK(get("Accept-Language: de\r\nCookie: id=7; theme=dark\r\n") == "de|theme=dark\n");
    CHECK(get("Accept-Language: en\r\nCookie: theme=dark; id=8\r\n") == "en|theme=dark\n");
    CHECK(get("Accept-Language: de\r\nCookie: theme=dark; id=9\r\n") == "de|theme=dark\n");
    CHECK(get("Cookie: id=9\r\n") == "|\n");
    CHECK(runs(log) == 3);
}

TEST_CASE("nothing of one visitor gets into what others are shown") {
    Site site;
    site.config(route("{ ttl = \"1h\" }", "*"));
    site.island("env.pl", "#!/usr/bin/perl\nprint \"Content-Type: text/plain\\n\\n\";\n"
                          "print \"$_=$ENV{$_}\\n\" for sort keys %ENV;\n");
    site.document("page.shtml", "<!--#printenv --><!--#include virtual=\"/cgi-bin/env.pl\" -->");
    Server server(site);
    const std::string secrets = "Cookie: session=SECRET\r\nX-Secret: SECRET\r\n"
                                "Referer: http://SECRET/\r\nUser-Agent: SECRET\r\n"
                                "X-Forwarded-For: 192.0.2.66\r\nAccept: SECRET/x\r\n";
    for (const char* const target : {"/cgi-bin/env.pl", "/page.shtml"}) {
        INFO(target);
        const auto first = fetch(server.port(), target, secrets);
        CHECK(first.status == 200);
        CHECK(holds(first.field("Cache-Status"), "stored"));
        const auto second = fetch(server.port(), target);
        CHECK(holds(second.field("Cache-Status"), "hit"));
        CHECK(second.body == first.body);
        CHECK_FALSE(first.contains("SECRET"));
        CHECK_FALSE(first.contains("192.0.2.66"));
        CHECK(first.contains("127.0.0.1")); // as if the server itself had asked
        CHECK(first.contains("HTTP_HOST"));
    }
    // Who says who he is is nobody's to share with.
    const auto known =
        fetch(server.port(), "/cgi-bin/env.pl", "Authorization: Basic YTpi\r\n" + secrets);
    CHECK_FALSE(known.has("Cache-Status"));
    CHECK(known.contains("SECRET"));
}

TEST_CASE("what an answer forbids is not kept, and each visitor has the island to himself") {
    Site site;
    site.config(route("{ ttl = \"1h\" }"));
    Mailbox log(site.beside("log"));
    const auto island = [&](const std::string& name, const std::string& field) {
        site.island(name, counts(log, "echo \"$HTTP_COOKIE\"",
                                 "printf 'Content-Type: text/plain\\n" + field + "\\n\\n'\n"));
    };
    island("private.sh", "Cache-Control: private");
    island("store.sh", "Cache-Control: no-store");
    island("cache.sh", "Cache-Control: no-cache");
    island("zero.sh", "Cache-Control: max-age=0");
    island("cookie.sh", "Set-Cookie: session=new");
    island("star.sh", "Vary: *");
    island("vary.sh", "Vary: Cookie");
    Server server(site);
    for (const char* const name : {"private", "store", "cache", "zero", "cookie", "star", "vary"}) {
        INFO(name);
        const auto target = std::string("/cgi-bin/") + name + ".sh";
        for (const char* const visitor : {"a", "b", "c"}) {
            const auto answer =
                fetch(server.port(), target, std::string("Cookie: who=") + visitor + "\r\n");
            CHECK(answer.body == std::string("who=") + visitor + "\n");
            CHECK(answer.field("Cache-Status") == "atoll; fwd=bypass");
        }
        CHECK(runs(log) == 4); // and one that found it out
    }
    CHECK(holds(status(site), "\"stored\":0"));
}

TEST_CASE("with true, islands alone decide; and what Vary tells is a part of the key") {
    Site site;
    site.config("response_cache = true\n");
    Mailbox log(site.beside("log"));
    site.island("silent.sh", counts(log, "echo x"));
    site.island("vary.sh", counts(log, "echo \"$HTTP_ACCEPT_LANGUAGE\"",
                                  "printf 'Content-Type: text/plain\\nCache-Control: max-age=60\\n"
                                  "Vary: Accept-Language\\n\\n'\n"));
    Server server(site);
    fetch(server.port(), "/cgi-bin/silent.sh");
    CHECK(fetch(server.port(), "/cgi-bin/silent.sh").field("Cache-Status") == "atoll; fwd=bypass");
    runs(log);
    for (int i = 0; i != 3; ++i)
        for (const char* const language : {"de", "en", "fr"}) {
            const auto answer = fetch(server.port(), "/cgi-bin/vary.sh",
                                      std::string("Accept-Language: ") + language + "\r\n");
            CHECK(answer.body == std::string(language) + "\n");
            CHECK(answer.field("Vary") == "Accept-Language");
        }
    CHECK(runs(log) == 4);
}

TEST_CASE("a client that takes its time holds nobody, and has the whole answer in the end") {
    Site site;
    site.config(route("{ ttl = \"1h\" }"));
    site.island("big.py", "#!/usr/bin/python3\nprint('Content-Type: text/plain\\n')\n"
                          "print('x' * 900_000)\n");
    Server server(site);
    RawClient slow(server.port());
    slow.shrinkReceiveBuffer(4096);
    slow.get("/cgi-bin/big.py");
    const auto fast = fetch(server.port(), "/cgi-bin/big.py");
    CHECK(fast.body.size() == 900'001);
    CHECK(holds(status(site), "\"stored\":1"));
    const auto whole = slow.response();
    CHECK(whole.complete);
    CHECK(whole.body == fast.body);
}

TEST_CASE("an answer that is too large is each visitor's own, and goes out whole") {
    Site site;
    site.config("[limits]\ncache_answer = \"16KB\"\n" + route("{ ttl = \"1h\" }"));
    Mailbox log(site.beside("log"));
    site.island("big.sh", counts(log, "head -c 3000000 /dev/zero"));
    Server server(site);
    for (int i = 0; i != 3; ++i) {
        const auto answer = fetch(server.port(), "/cgi-bin/big.sh");
        CHECK(answer.complete);
        CHECK(answer.body.size() == 3'000'000);
    }
    CHECK(runs(log) == 3);
    CHECK(holds(status(site), "\"stored\":0"));
}

TEST_CASE("when whoever began a run leaves, the others still get its answer") {
    Site site;
    site.config(route("{ ttl = \"1h\" }"));
    Mailbox log(site.beside("log"));
    Mailbox word(site.beside("word"));
    site.island("a.sh", waits(log, word));
    Server server(site);
    Clients clients;
    ask(clients, server, "/cgi-bin/a.sh");
    CHECK(log.line() == "run");
    ask(clients, server, "/cgi-bin/a.sh");
    ask(clients, server, "/cgi-bin/a.sh");
    CHECK(awaitCoalesced(site, 2));
    clients[0].reset();
    clients[1].close();
    CHECK(clients[2].silentFor(200ms));
    word.put("for the rest");
    CHECK(clients[2].response().body == "for the rest\n");
    CHECK(log.empty());
}

TEST_CASE("when all have left, the island is ended") {
    Site site;
    site.config(route("{ ttl = \"1h\" }"));
    Mailbox log(site.beside("log"));
    site.island("a.sh", "#!/bin/sh\necho run > " + log.path() + "\nexec sleep 60\n");
    Server server(site);
    Clients clients;
    ask(clients, server, "/cgi-bin/a.sh");
    CHECK(log.line() == "run");
    ask(clients, server, "/cgi-bin/a.sh");
    CHECK(awaitCoalesced(site, 1));
    CHECK(server.islands().size() == 1);
    clients[0].close();
    clients[1].close();
    CHECK(eventually([&] { return server.islands().empty(); }));
}

TEST_CASE("an island that is killed in the middle cuts the answers, and is asked again") {
    Site site;
    site.config(route("{ ttl = \"1h\" }"));
    Mailbox word(site.beside("word"));
    site.island("a.sh", std::string("#!/bin/sh\n") + kHead + "echo half\nread word < " +
                            word.path() + "\n[ $word = kill ] && kill -9 $$\necho whole\n");
    Server server(site);
    Clients clients;
    for (int i = 0; i != 3; ++i)
        ask(clients, server, "/cgi-bin/a.sh");
    for (RawClient& client : clients)
        client.readUntil("half\n");
    word.put("kill");
    for (RawClient& client : clients)
        CHECK_FALSE(holds(client.readToEnd(), "0\r\n\r\n"));
    word.put("go");
    const auto again = fetch(server.port(), "/cgi-bin/a.sh");
    CHECK(again.body == "half\nwhole\n");
    CHECK(again.complete);
}

TEST_CASE("atoll purge drops a path, what lies below one, or all, and says how many") {
    Site site;
    site.config(route("{ ttl = \"1h\" }", "*"));
    Mailbox log(site.beside("log"));
    site.island("a.sh", counts(log, "echo a"));
    site.island("b.sh", counts(log, "echo b"));
    Server server(site);
    const auto purge = [&](std::vector<std::string> words) {
        words.insert(words.begin(), {"purge", "--directory", site.directory().string()});
        return runAtoll(words);
    };
    const auto fill = [&] {
        for (const char* const target : {"/cgi-bin/a.sh?1", "/cgi-bin/a.sh?2", "/cgi-bin/b.sh"})
            fetch(server.port(), target);
    };
    fill();
    CHECK(purge({"/cgi-bin/a.sh"}).out == "2 answers dropped\n");
    CHECK(purge({"/cgi-bin/a.sh"}).out == "0 answers dropped\n");
    CHECK(purge({"/cgi-bin/%62.sh", "/elsewhere"}).out == "1 answer dropped\n");
    runs(log);
    fill();
    CHECK(runs(log) == 3);
    CHECK(purge({"--host", "example.org", "/cgi-bin/*"}).out == "0 answers dropped\n");
    CHECK(purge({"--host", "LocalHost", "/cgi-bin/*"}).out == "3 answers dropped\n");
    fill();
    CHECK(purge({"--all"}).out == "3 answers dropped\n");
    CHECK(holds(status(site), "\"cache\":{\"answers\":0,\"bytes\":0,"));
    CHECK(purge({}).ending.code == 64);
    CHECK(purge({"--all", "/a"}).ending.code == 64);
    CHECK(purge({"relative"}).ending.code == 64);
    CHECK(purge({"--host", "a b", "/a"}).ending.code == 64);
}

TEST_CASE("HEAD, conditions, ranges and compression work on what is kept") {
    Site site;
    site.config(route("{ ttl = \"1h\" }"));
    Mailbox log(site.beside("log"));
    site.island("a.sh", counts(log, "head -c 5000 /dev/zero | tr '\\0' x",
                               "printf 'Content-Type: text/plain\\nETag: \"v1\"\\n\\n'\n"));
    Server server(site);
    HttpClient client(server.port());
    CHECK(client.head("/cgi-bin/a.sh").status == 200); // begins nothing for others
    CHECK(runs(log) == 1);
    CHECK(client.get("/cgi-bin/a.sh").body.size() == 5000);
    CHECK(runs(log) == 1);
    const auto head = client.head("/cgi-bin/a.sh");
    CHECK(head.field("Content-Length") == "5000");
    CHECK(head.has("Age"));
    const auto same = client.get("/cgi-bin/a.sh", {{"If-None-Match", "\"v1\""}});
    CHECK(same.status == 304);
    CHECK(same.field("ETag") == "\"v1\"");
    CHECK(client.get("/cgi-bin/a.sh", {{"If-Match", "\"v2\""}}).status == 412);
    const auto part = client.get("/cgi-bin/a.sh", {{"Range", "bytes=10-19"}});
    CHECK(part.status == 206);
    CHECK(part.body == "xxxxxxxxxx");
    CHECK(part.field("Content-Range") == "bytes 10-19/5000");
    CHECK(client.get("/cgi-bin/a.sh", {{"Range", "bytes=9000-"}}).status == 416);
    CHECK(client.get("/cgi-bin/a.sh", {{"Range", "bytes=0-0"}, {"If-Range", "\"v2\""}}).status ==
          200);
    const auto small = client.get("/cgi-bin/a.sh", {{"Accept-Encoding", "gzip"}});
    CHECK(small.field("Content-Encoding") == "gzip");
    CHECK(small.body.size() < 500);
    CHECK(runs(log) == 0);
}

TEST_CASE("a change by POST drops what is kept of its path; one that fails does not") {
    Site site;
    site.config(route("{ ttl = \"1h\" }"));
    Mailbox log(site.beside("log"));
    site.island("a.sh", counts(log, "echo $REQUEST_METHOD",
                               "[ \"$QUERY_STRING\" = bad ] && echo 'Status: 400'\n"
                               "printf 'Content-Type: text/plain\\n\\n'\n"));
    Server server(site);
    HttpClient client(server.port());
    client.get("/cgi-bin/a.sh");
    client.get("/cgi-bin/a.sh?list");
    CHECK(runs(log) == 2);
    CHECK(client.post("/cgi-bin/a.sh?bad", "x").status == 400);
    CHECK(client.get("/cgi-bin/a.sh").body == "GET\n");
    CHECK(runs(log) == 1);
    CHECK(client.post("/cgi-bin/a.sh", "x").body == "POST\n");
    CHECK(client.get("/cgi-bin/a.sh").body == "GET\n");
    CHECK(client.get("/cgi-bin/a.sh?list").body == "GET\n");
    CHECK(runs(log) == 3);
}

TEST_CASE("in little memory the answers that nobody asks for go first") {
    Site site;
    site.config("[limits]\ncache_memory = \"64KB\"\ncache_answer = \"16KB\"\n" +
                route("{ ttl = \"1h\" }"));
    Mailbox log(site.beside("log"));
    site.island("a.sh", counts(log, "head -c 10000 /dev/zero"));
    Server server(site);
    for (int i = 0; i != 20; ++i) {
        fetch(server.port(), "/cgi-bin/a.sh?" + std::to_string(i));
        fetch(server.port(), "/cgi-bin/a.sh?0");
    }
    CHECK(runs(log) == 20);
    const auto numbers = status(site);
    CHECK(holds(numbers, "\"stored\":20,\"evicted\":15"));
    CHECK(holds(numbers, "\"answers\":5"));
}

TEST_CASE("what is guarded is asked for before the cache, for each client") {
    Site site;
    Mailbox log(site.beside("log"));
    site.island("a.sh", counts(log, "echo a"));
    site.config("trusted_proxies = [\"127.0.0.1\"]\n" + route("{ ttl = \"1h\" }") +
                "deny = [\"192.0.2.66\"]\n");
    Server server(site);
    CHECK(fetch(server.port(), "/cgi-bin/a.sh").status == 200);
    CHECK(fetch(server.port(), "/cgi-bin/a.sh").has("Age"));
    CHECK(fetch(server.port(), "/cgi-bin/a.sh", "X-Forwarded-For: 192.0.2.66\r\n").status == 403);
}

TEST_CASE("what is guarded and gets into an island's answer does not become everybody's") {
    Site site;
    site.config("trusted_proxies = [\"127.0.0.1\"]\n" + route("{ ttl = \"1h\" }") +
                "[[route]]\npath = \"/private/*\"\nallow = [\"127.0.0.1\"]\n");
    site.document("private/x.txt", "PRIVATE");
    site.island("page.sh", "#!/bin/sh\nprintf 'Content-Type: text/html\\n\\n'\n"
                           "echo '<!--#include virtual=\"/private/x.txt\" -->'\n");
    site.island("led.sh", "#!/bin/sh\nprintf 'Location: /private/x.txt\\n\\n'\n");
    Server server(site);
    const std::string stranger = "X-Forwarded-For: 192.0.2.66\r\n";
    for (const char* const target : {"/cgi-bin/page.sh", "/cgi-bin/led.sh"}) {
        INFO(target);
        // The first one may have seen the page's beginning before its include was found.
        CHECK_FALSE(fetch(server.port(), target, stranger).contains("PRIVATE"));
        for (int i = 0; i != 2; ++i) {
            CHECK(fetch(server.port(), target).contains("PRIVATE"));
            CHECK_FALSE(fetch(server.port(), target, stranger).contains("PRIVATE"));
        }
    }
    CHECK(fetch(server.port(), "/cgi-bin/led.sh", stranger).status == 403);
    CHECK(holds(status(site), "\"stored\":0"));
}

TEST_CASE("a reload keeps what is kept unless the file has changed") {
    Site site;
    site.config(route("{ ttl = \"1h\" }"));
    Mailbox log(site.beside("log"));
    site.island("a.sh", counts(log, "echo a"));
    Server server(site);
    fetch(server.port(), "/cgi-bin/a.sh");
    CHECK(runAtoll({"reload", site.directory()}).clean());
    CHECK(fetch(server.port(), "/cgi-bin/a.sh").has("Age"));
    site.config("# changed\n" + route("{ ttl = \"1h\" }"));
    CHECK(runAtoll({"reload", site.directory()}).clean());
    CHECK_FALSE(fetch(server.port(), "/cgi-bin/a.sh").has("Age"));
    CHECK(runs(log) == 2);
}
