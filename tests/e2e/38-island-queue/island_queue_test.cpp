#include "harness/raw_client.h"
#include "harness/server.h"

#include <catch2/catch.hpp>
#include <memory>
#include <vector>

using namespace reef::e2e;

namespace {

constexpr const char* kHead = "printf 'Content-Type: text/html\\n\\n'\n";

/// An island that tells who runs it, and waits for a word.
std::string waits(const Mailbox& log, const Mailbox& word) {
    return std::string("#!/bin/sh\necho \"$QUERY_STRING\" > ") + log.path() + "\nread word < " +
           word.path() + "\n" + kHead + "echo done\n";
}

std::string from(const std::string& client) {
    return "X-Forwarded-For: " + client + "\r\n";
}

using Clients = std::vector<std::unique_ptr<RawClient>>;

RawClient& ask(Clients& clients, const Server& server, const std::string& target,
               const std::string& client) {
    clients.push_back(std::make_unique<RawClient>(server.port()));
    clients.back()->get(target, from(client));
    return *clients.back();
}

} // namespace

TEST_CASE("clients take turns: many requests of one delay another's by one place") {
    Site site;
    site.config("trusted_proxies = [\"127.0.0.1\"]\nmax_islands = 1\n");
    Mailbox log(site.beside("log"));
    Mailbox word(site.beside("word"));
    site.island("waits.sh", waits(log, word));
    Server server(site);
    Clients clients;
    ask(clients, server, "/cgi-bin/waits.sh?a", "192.0.2.1");
    CHECK(log.line() == "a");
    for (int i = 0; i != 30; ++i)
        ask(clients, server, "/cgi-bin/waits.sh?a", "192.0.2.1");
    CHECK(eventually([&] {
        return runAtoll({"status", "--json", site.directory()}).out.find("\"waiting\":30") !=
               std::string::npos;
    }));
    ask(clients, server, "/cgi-bin/waits.sh?b", "192.0.2.2");
    CHECK(eventually([&] {
        return runAtoll({"status", "--json", site.directory()}).out.find("\"waiting\":31") !=
               std::string::npos;
    }));
    word.put("go");
    CHECK(log.line() == "a");
    word.put("go");
    CHECK(log.line() == "b");
    for (int i = 0; i != 29; ++i) {
        word.put("go");
        CHECK(log.line() == "a");
    }
    word.put("go");
    for (const auto& client : clients)
        CHECK(client->response().body == "done\n");
}

TEST_CASE("a full queue is answered at once by 503, and says when to come again") {
    Site site;
    site.config("max_islands = 1\nisland_queue = 1\n");
    Mailbox log(site.beside("log"));
    Mailbox word(site.beside("word"));
    site.island("waits.sh", waits(log, word));
    site.document("static.txt", "static");
    Server server(site);
    RawClient first(server.port());
    first.get("/cgi-bin/waits.sh?1");
    CHECK(log.line() == "1");
    RawClient second(server.port());
    second.get("/cgi-bin/waits.sh?2");
    CHECK(eventually([&] {
        return runAtoll({"status", "--json", site.directory()}).out.find("\"waiting\":1") !=
               std::string::npos;
    }));
    const auto refused = fetch(server.port(), "/cgi-bin/waits.sh?3");
    CHECK(refused.status == 503);
    CHECK_FALSE(refused.field("Retry-After").empty());
    CHECK(fetch(server.port(), "/static.txt").body == "static");
    CHECK(server.awaitLog("island_queue"));
    second.close(); // whoever leaves makes room
    CHECK(eventually([&] {
        return runAtoll({"status", "--json", site.directory()}).out.find("\"waiting\":0") !=
               std::string::npos;
    }));
    RawClient fourth(server.port());
    fourth.get("/cgi-bin/waits.sh?4");
    word.put("go");
    CHECK(first.response().body == "done\n");
    CHECK(log.line() == "4"); // the one that left never ran
    word.put("go");
    CHECK(fourth.response().body == "done\n");
}

TEST_CASE("whoever waits too long for its turn is answered by 503") {
    Site site;
    site.config("max_islands = 1\nisland_queue_timeout = \"300ms\"\n");
    Mailbox log(site.beside("log"));
    Mailbox word(site.beside("word"));
    site.island("waits.sh", waits(log, word));
    Server server(site);
    RawClient first(server.port());
    first.get("/cgi-bin/waits.sh?1");
    CHECK(log.line() == "1");
    const auto late = fetch(server.port(), "/cgi-bin/waits.sh?2");
    CHECK(late.status == 503);
    CHECK_FALSE(late.field("Retry-After").empty());
    CHECK(server.awaitLog("island_queue_timeout"));
    word.put("go");
    CHECK(first.response().body == "done\n");
}

TEST_CASE(
    "a client has its share of islands, a route its own limit, and others go on beside them") {
    Site site;
    site.config("trusted_proxies = [\"127.0.0.1\"]\nmax_islands = 10\nmax_islands_per_client = 2\n"
                "[[route]]\npath = \"/cgi-bin/one.sh\"\nmax_islands = 1\n");
    Mailbox log(site.beside("log"));
    Mailbox word(site.beside("word"));
    site.island("waits.sh", waits(log, word));
    site.island("one.sh", waits(log, word));
    Server server(site);
    Clients clients;
    for (int i = 0; i != 2; ++i) {
        ask(clients, server, "/cgi-bin/waits.sh?a", "192.0.2.1");
        CHECK(log.line() == "a");
    }
    ask(clients, server, "/cgi-bin/waits.sh?a3", "192.0.2.1"); // beyond its share
    ask(clients, server, "/cgi-bin/one.sh?b", "192.0.2.2");
    CHECK(log.line() == "b");
    ask(clients, server, "/cgi-bin/one.sh?c", "192.0.2.3"); // beyond the route's
    ask(clients, server, "/cgi-bin/waits.sh?d", "192.0.2.4");
    CHECK(log.line() == "d");
    CHECK(log.empty());
    for (std::size_t i = 0; i != clients.size(); ++i)
        word.put("go");
    for (const auto& client : clients)
        CHECK(client->response().body == "done\n");
}

TEST_CASE("a limit of one starves neither a page's fragments nor what an island redirects to") {
    Site site;
    site.config("max_islands = 1\n");
    site.island("page.sh", std::string("#!/bin/sh\n") + kHead +
                               "echo '(<!--#include virtual=\"/cgi-bin/part.sh\" -->)'\n");
    site.island("part.sh", std::string("#!/bin/sh\n") + kHead + "printf part\n");
    site.island("moved.sh", "#!/bin/sh\nprintf 'Location: /cgi-bin/part.sh\\n\\n'\n");
    Server server(site);
    Clients clients;
    for (int i = 0; i != 6; ++i) {
        clients.push_back(std::make_unique<RawClient>(server.port()));
        clients.back()->get(i % 2 == 0 ? "/cgi-bin/page.sh" : "/cgi-bin/moved.sh");
    }
    for (std::size_t i = 0; i != clients.size(); ++i)
        CHECK(clients[i]->response().body == (i % 2 == 0 ? "(part)\n" : "part"));
}

TEST_CASE("other limits hold as soon as the configuration was read again") {
    Site site;
    site.config("max_islands = 1\n");
    Mailbox log(site.beside("log"));
    Mailbox word(site.beside("word"));
    site.island("waits.sh", waits(log, word));
    Server server(site);
    Clients clients;
    for (int i = 0; i != 3; ++i)
        ask(clients, server, "/cgi-bin/waits.sh?x", "192.0.2.1");
    CHECK(log.line() == "x");
    site.config("max_islands = 3\nmax_islands_per_client = 0\n");
    CHECK(runAtoll({"reload", site.directory()}).clean());
    CHECK(log.line() == "x");
    CHECK(log.line() == "x");
    for (int i = 0; i != 3; ++i)
        word.put("go");
    for (const auto& client : clients)
        CHECK(client->response().body == "done\n");
}
