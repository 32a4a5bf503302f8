#include "harness/raw_client.h"
#include "harness/server.h"

#include <sys/resource.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <list>
#include <memory>
#include <sstream>
#include <vector>

using namespace reef::e2e;

namespace {

/// So that this process can be a thousand clients.
void takeAllDescriptors() {
    rlimit limit{};
    REQUIRE(::getrlimit(RLIMIT_NOFILE, &limit) == 0);
    limit.rlim_cur = limit.rlim_max;
    REQUIRE(::setrlimit(RLIMIT_NOFILE, &limit) == 0);
}

void prepare(Site& site) {
    site.document("ok.txt", "ok");
    site.document("large.bin", std::string(8'000'000, 'x'));
    site.island("hello.sh", "#!/bin/sh\nprintf 'Content-Type: text/plain\\n\\nhello'\n");
}

/// Clients that have sent so much, and wait.
std::list<RawClient> clientsThatSent(std::uint16_t port, int count, std::string_view bytes) {
    std::list<RawClient> clients;
    for (int i = 0; i < count; ++i)
        clients.emplace_back(port).send(bytes);
    return clients;
}

/// Files, islands, and a connection that is kept: all as if nobody else were there.
void checkServes(const Server& server) {
    RawClient kept(server.port());
    for (int i = 0; i < 5; ++i) {
        kept.get("/ok.txt");
        CHECK(kept.response().body == "ok");
        CHECK(fetch(server.port(), "/ok.txt").body == "ok");
        CHECK(fetch(server.port(), "/cgi-bin/hello.sh").body == "hello");
    }
}

/// Clock ticks of processor time that a process has used.
long ticksOf(pid_t process) {
    std::ifstream in("/proc/" + std::to_string(process) + "/stat");
    std::string text(std::istreambuf_iterator<char>(in), {});
    std::istringstream fields(text.substr(text.rfind(')') + 2));
    std::string skipped;
    for (int i = 0; i < 11; ++i)
        fields >> skipped;
    long user = 0;
    long system = 0;
    fields >> user >> system;
    return user + system;
}

} // namespace

TEST_CASE("two hundred clients that send their heads byte by byte disturb nobody") {
    Site site;
    prepare(site);
    Server server(site);
    auto slow = clientsThatSent(server.port(), 200, "GET /ok.txt HTTP/1.1\r\nHost: a\r\nX-");
    for (int i = 0; i < 3; ++i) {
        for (RawClient& client : slow)
            client.send("a");
        checkServes(server);
    }
    slow.front().send(": b\r\n\r\n"); // and whoever does finish in time is served
    CHECK(slow.front().response().body == "ok");
}

TEST_CASE("a thousand half-open requests disturb nobody") {
    takeAllDescriptors();
    Site site;
    prepare(site);
    Server server(site);
    const auto halves = clientsThatSent(server.port(), 1000, "GET /ok.txt HTTP/1.1\r\nHo");
    checkServes(server);
}

TEST_CASE("clients that do not read what they asked for disturb nobody") {
    Site site;
    prepare(site);
    Server server(site);
    const auto before = residentBytes(server.serverPid());
    auto readers = clientsThatSent(server.port(), 50, "GET /large.bin HTTP/1.1\r\nHost: a\r\n\r\n");
    for (RawClient& reader : readers)
        CHECK(reader.head().status == 200);
    checkServes(server);
    CHECK(residentBytes(server.serverPid()) < before + 50'000'000 * kSlack);
}

TEST_CASE(
    "when descriptors run out, those who are connected are served, and the others come later") {
    Site site;
    prepare(site);
    Server server(site, Under{{"prlimit", "--nofile=160"}});
    RawClient kept(server.port());
    kept.get("/ok.txt");
    CHECK(kept.response().body == "ok");
    auto crowd = clientsThatSent(server.port(), 400, "GET /ok.txt HTTP/1.1\r\nHo");
    kept.get("/cgi-bin/hello.sh");
    CHECK(kept.response().body == "hello");

    const auto ticks = ticksOf(server.serverPid());
    CHECK(kept.silentFor(500ms));
    CHECK(ticksOf(server.serverPid()) - ticks < 25 * kSlack); // of about fifty

    kept.get("/large.bin");
    CHECK(kept.response().body.size() == 8'000'000);
    CHECK(fetch(server.port(), "/ok.txt").body == "ok"); // the half-open ones make room
    crowd.clear();
    checkServes(server);
    CHECK(server.awaitLog("descriptors are short"));
}

TEST_CASE("clients who send their content slowly keep no island from running") {
    Site site;
    site.island("echo.sh", "#!/bin/sh\nprintf 'Content-Type: text/plain\\n\\n'; cat\n");
    site.config("max_islands = 2\n");
    Server server(site);
    std::vector<std::unique_ptr<RawClient>> slow;
    for (int i = 0; i != 16; ++i) {
        slow.push_back(std::make_unique<RawClient>(server.port()));
        slow.back()->send(i % 2 == 0
                              ? "POST /cgi-bin/echo.sh HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: "
                                "chunked\r\n\r\n1\r\na\r\n"
                              : "POST /cgi-bin/echo.sh HTTP/1.1\r\nHost: x\r\nContent-Length: "
                                "5\r\n\r\na");
    }
    for (int i = 0; i != 4; ++i)
        CHECK(fetch(server.port(), "/cgi-bin/echo.sh").status == 200);
    slow[0]->send("4\r\nbcde\r\n0\r\n\r\n");
    CHECK(slow[0]->response().body == "abcde");
    slow[1]->send("bcde");
    CHECK(slow[1]->response().body == "abcde");
}
