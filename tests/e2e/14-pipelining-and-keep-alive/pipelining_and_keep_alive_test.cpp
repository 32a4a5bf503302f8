#include "harness/raw_client.h"
#include "harness/server.h"
#include "harness/site.h"
#include "harness/text.h"

#include <catch2/catch.hpp>

using namespace reef::e2e;

namespace {

std::string get(const std::string& target, const std::string& fields = {}) {
    return "GET " + target + " HTTP/1.1\r\nHost: localhost\r\n" + fields + "\r\n";
}

void threePages(Site& site) {
    site.document("1.txt", "one").document("2.txt", "two").document("3.txt", "three");
}

} // namespace

TEST_CASE("two requests in one packet get two answers in order") {
    Site site;
    threePages(site);
    Server server(site);
    RawClient client(server.port());
    client.send(get("/1.txt") + get("/2.txt"));
    CHECK(client.response().body == "one");
    CHECK(client.response().body == "two");
    client.send(get("/3.txt"));
    CHECK(client.response().body == "three");
}

TEST_CASE("hundreds of requests sent without waiting are answered one by one") {
    Site site;
    threePages(site);
    site.document("large.bin", noise(100'000));
    Server server(site);
    RawClient client(server.port());
    std::string requests;
    for (int i = 0; i < 150; ++i)
        requests += get("/1.txt") + get("/large.bin") + get("/missing");
    client.send(requests);
    for (int i = 0; i < 150; ++i) {
        CHECK(client.response().body == "one");
        CHECK(client.response().body.size() == 100'000);
        CHECK(client.response().status == 404);
    }
}

TEST_CASE("requests may be cut anywhere on their way") {
    Site site;
    threePages(site);
    site.island("echo.sh", "#!/bin/sh\nprintf 'Content-Type: text/plain\\n\\n'\ncat\n");
    Server server(site);
    const std::string requests = "\r\n" + get("/1.txt") +
                                 "POST /cgi-bin/echo.sh HTTP/1.1\r\nHost: a\r\n"
                                 "Content-Length: 5\r\n\r\nhello" +
                                 get("/2.txt") +
                                 "POST /cgi-bin/echo.sh HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: "
                                 "chunked\r\n\r\n3;x=y\r\nfoo\r\n03\r\nbar\r\n0\r\nX: y\r\n\r\n" +
                                 get("/3.txt");
    // Two pieces, cut at every place; then byte by byte.
    for (std::size_t cut = 1; cut <= requests.size(); cut += cut == requests.size() ? 1 : 7) {
        INFO("cut at " << cut);
        RawClient client(server.port());
        client.send(requests.substr(0, cut));
        client.send(requests.substr(cut));
        CHECK(client.response().body == "one");
        CHECK(client.response().body == "hello");
        CHECK(client.response().body == "two");
        CHECK(client.response().body == "foobar");
        CHECK(client.response().body == "three");
    }
    RawClient client(server.port());
    for (const char byte : requests)
        client.send({&byte, 1});
    for (const char* body : {"one", "hello", "two", "foobar", "three"})
        CHECK(client.response().body == body);
}

TEST_CASE("a slow answer is not overtaken by those behind it") {
    Site site;
    threePages(site);
    Mailbox started(site.beside("started"));
    Mailbox go(site.beside("go"));
    site.island("slow.sh", "#!/bin/sh\necho started > " + started.path() + "\nread word < " +
                               go.path() + "\nprintf 'Content-Type: text/plain\\n\\nslow'\n");
    Server server(site);
    RawClient client(server.port());
    client.send(get("/cgi-bin/slow.sh") + get("/1.txt"));
    CHECK(started.line() == "started");
    CHECK(client.silentFor(50ms));
    go.put("go");
    CHECK(client.response().body == "slow");
    CHECK(client.response().body == "one");
}

TEST_CASE("the connection stays open, or not, as version and Connection say") {
    struct Case {
        const char* version;
        const char* fields;
        bool keeps;
    };
    const Case cases[] = {
        {"HTTP/1.1", "", true},
        {"HTTP/1.1", "Connection: keep-alive\r\n", true},
        {"HTTP/1.1", "Connection: close\r\n", false},
        {"HTTP/1.1", "Connection: Close\r\n", false},
        {"HTTP/1.1", "Connection: x, close\r\n", false},
        {"HTTP/1.1", "Connection: x\r\nConnection: close\r\n", false},
        {"HTTP/1.0", "", false},
        {"HTTP/1.0", "Connection: keep-alive\r\n", true},
    };
    Site site;
    threePages(site);
    Server server(site);
    for (const Case& c : cases) {
        INFO(c.version << ' ' << c.fields);
        RawClient client(server.port());
        client.request(std::string("GET /1.txt ") + c.version, c.fields);
        const auto answer = client.response();
        CHECK(answer.body == "one");
        CHECK(answer.version == "HTTP/1.1");
        const std::string connection = answer.field("Connection");
        if (c.keeps) {
            CHECK(connection != "close");
            if (std::string(c.version) == "HTTP/1.0") CHECK(connection == "keep-alive");
            client.send(get("/2.txt"));
            CHECK(client.response().body == "two");
        } else {
            CHECK(connection == "close");
            CHECK(client.closedByPeer());
        }
    }
}

TEST_CASE("an answer of unknown length has chunks for 1.1, and the end of the connection for 1.0") {
    Site site;
    site.island("long.sh", "#!/bin/sh\nprintf 'Content-Type: text/plain\\n\\n'\n"
                           "head -c 500000 /dev/zero | tr '\\0' x\n");
    Server server(site);
    RawClient modern(server.port());
    modern.get("/cgi-bin/long.sh");
    const auto chunks = modern.response();
    CHECK(chunks.chunked);
    CHECK(chunks.body == std::string(500'000, 'x'));

    RawClient old(server.port());
    old.send("GET /cgi-bin/long.sh HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    const auto answer = old.response();
    CHECK_FALSE(answer.has("Transfer-Encoding"));
    CHECK(answer.complete);
    CHECK(answer.body == std::string(500'000, 'x'));
}

TEST_CASE("a client that closes its side after its last request gets every answer") {
    Site site;
    threePages(site);
    site.island("slow.sh", "#!/bin/sh\nsleep 0.2\nprintf 'Content-Type: text/plain\\n\\nslow'\n");
    Server server(site);
    RawClient client(server.port());
    client.send(get("/1.txt") + get("/2.txt") + get("/cgi-bin/slow.sh", "Connection: close\r\n"));
    client.endWriting();
    CHECK(client.response().body == "one");
    CHECK(client.response().body == "two");
    CHECK(client.response().body == "slow");
    CHECK(client.closedByPeer());
}

TEST_CASE("content that nobody reads is never taken for the next request") {
    Site site;
    threePages(site);
    site.island("closed.sh", "#!/bin/sh\n", 0644); // 403 at once
    site.island("deaf.sh", "#!/bin/sh\nprintf 'Content-Type: text/plain\\n\\ndeaf'\n");
    Server server(site);
    const std::string content = get("/smuggled");
    const std::string length = "Content-Length: " + std::to_string(content.size()) + "\r\n\r\n";
    struct Case {
        const char* target;
        int status;
    };
    for (const Case c :
         {Case{"/cgi-bin/closed.sh", 403}, Case{"/cgi-bin/missing.sh", 404}, Case{"/1.txt", 405},
          Case{"/missing", 404}, Case{"/cgi-bin/deaf.sh", 200}}) {
        INFO(c.target);
        RawClient client(server.port());
        client.send(std::string("POST ") + c.target + " HTTP/1.1\r\nHost: a\r\n" + length +
                    content + get("/2.txt"));
        const auto answer = client.response();
        CHECK(answer.status == c.status);
        if (answer.field("Connection") == "close") {
            CHECK(client.readToEnd().empty());
        } else {
            CHECK(client.response().body == "two");
        }
    }
}

TEST_CASE("a thousand open connections are all served") {
    Site site;
    threePages(site);
    Server server(site);
    std::vector<std::unique_ptr<RawClient>> clients;
    for (int i = 0; i < 1000; ++i)
        clients.push_back(std::make_unique<RawClient>(server.port()));
    for (const auto& client : clients)
        client->send(get("/1.txt"));
    for (const auto& client : clients)
        REQUIRE(client->response().body == "one");
    for (const auto& client : clients)
        client->send(get("/2.txt"));
    for (const auto& client : clients)
        REQUIRE(client->response().body == "two");
}
