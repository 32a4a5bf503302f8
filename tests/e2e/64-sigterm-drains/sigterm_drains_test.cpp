#include "harness/raw_client.h"
#include "harness/server.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <csignal>
#include <thread>

using namespace reef::e2e;

namespace {

/// An island that says when it has begun, and answers when it is told to.
struct Slow {
    explicit Slow(Site& site) : begun(site.beside("begun")), go(site.beside("go")) {
        site.island("slow.sh", "#!/bin/sh\necho begun > " + begun.path() + "\nread word < " +
                                   go.path() + "\nprintf 'Content-Type: text/plain\\n\\nslow'\n");
    }
    Mailbox begun;
    Mailbox go;
};

} // namespace

TEST_CASE(
    "SIGTERM lets a running request finish, takes no further one, and leaves nothing behind") {
    Site site;
    Slow slow(site);
    site.document("index.html", "x");
    Server server(site);
    RawClient idle(server.port());
    idle.get("/");
    idle.response();
    RawClient client(server.port());
    client.get("/cgi-bin/slow.sh");
    slow.begun.line();

    server.signal(SIGTERM);
    CHECK(idle.closedByPeer()); // an idle connection ends at once
    CHECK(client.silentFor(100ms));
    CHECK_FALSE(server.awaitEnd(Duration::zero())); // the request is still at work
    slow.go.put("go");
    const auto answer = client.response();
    CHECK(answer.complete);
    CHECK(answer.body == "slow");
    CHECK(client.closedByPeer());
    server.awaitCleanEnd();
}

TEST_CASE("SIGINT, as Ctrl-C sends it to the whole terminal, ends as cleanly") {
    Site site;
    Slow slow(site);
    Server server(site);
    RawClient client(server.port());
    client.get("/cgi-bin/slow.sh");
    slow.begun.line();
    server.signal(SIGINT);
    slow.go.put("go");
    CHECK(client.response().body == "slow");
    server.awaitCleanEnd();
}

TEST_CASE("half a request keeps no server from ending, and its end is a clean one") {
    Site site;
    site.document("index.html", "x");
    Server server(site);
    RawClient half(server.port());
    half.send("GET / HT");
    CHECK(half.silentFor(100ms)); // so that the server has it
    server.signal(SIGTERM);
    const auto ending = server.awaitEnd(5s * kSlack);
    REQUIRE(ending);
    CHECK(ending->clean());
}

TEST_CASE("a second signal ends what does not want to end") {
    Site site;
    Mailbox begun(site.beside("begun"));
    site.island("hangs.sh", "#!/bin/sh\ntrap '' TERM\necho begun > " + begun.path() +
                                "\nwhile :; do sleep 1; done\n");
    Server server(site);
    RawClient client(server.port());
    client.get("/cgi-bin/hangs.sh");
    begun.line();
    server.signal(SIGTERM);
    CHECK_FALSE(server.awaitEnd(100ms));
    server.signal(SIGTERM);
    const auto ending = server.awaitEnd();
    REQUIRE(ending);
    CHECK(ending->describe() == "exit status 1");
    CHECK(server.leftovers().empty());
    server.expectNoCleanEnd();
}

TEST_CASE("`atoll stop` does what SIGTERM does, and returns when it is done") {
    Site site;
    Slow slow(site);
    Server server(site);
    RawClient client(server.port());
    client.get("/cgi-bin/slow.sh");
    slow.begun.line();
    RawClient idle(server.port());
    idle.get("/");
    idle.response();
    std::atomic<bool> returned = false;
    bool early = false;
    std::thread visitor([&] {
        idle.closedByPeer(); // the server has been told
        std::this_thread::sleep_for(300ms);
        early = returned;
        slow.go.put("go");
    });
    const auto stopped = runAtoll({"stop", site.directory()});
    returned = true;
    visitor.join();
    CHECK(stopped.clean());
    CHECK_FALSE(early);
    CHECK(server.awaitEnd(Duration::zero()).has_value()); // the keeper too, and its guardian
    CHECK(client.response().body == "slow");
    server.awaitCleanEnd();
    CHECK(runAtoll({"stop", site.directory()}).ending.code == 1);
}

TEST_CASE("where `atoll stop` has returned, `atoll serve` has the same addresses at once") {
    Site site;
    site.document("index.html", "x");
    Server first(site);
    const auto address = "127.0.0.1:" + std::to_string(first.port());
    REQUIRE(runAtoll({"stop", site.directory()}).clean());
    CHECK(first.awaitEnd(Duration::zero()).has_value());
    Server second(site, Panel::off, {"--listen", address});
    CHECK(fetch(first.port(), "/").status == 200);
    first.awaitCleanEnd();
}

TEST_CASE("a download that is under way is finished") {
    Site site;
    site.document("large.bin", std::string(30'000'000, 'x'));
    Server server(site);
    RawClient client(server.port());
    client.shrinkReceiveBuffer(65536);
    client.get("/large.bin");
    const auto head = client.head();
    CHECK(head.field("Content-Length") == "30000000");
    server.signal(SIGTERM);
    CHECK(client.readToEnd().size() == 30'000'000);
    server.awaitCleanEnd();
}
