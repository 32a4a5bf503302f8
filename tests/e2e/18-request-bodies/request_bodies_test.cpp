#include "harness/command.h"
#include "harness/http_client.h"
#include "harness/raw_client.h"
#include "harness/server.h"
#include "harness/text.h"

#include <catch2/catch.hpp>

using namespace reef::e2e;

namespace {

/// Answers with what it got: first what it was told, then the content.
constexpr const char* kEcho = "#!/bin/sh\n"
                              "printf 'Content-Type: application/octet-stream\\n'\n"
                              "printf 'X-Length: %s\\n' \"${CONTENT_LENGTH-unset}\"\n"
                              "printf 'X-Coding: %s\\n\\n' \"${HTTP_TRANSFER_ENCODING-unset}\"\n"
                              "exec cat\n";

std::string chunkOf(const std::string& content) {
    char size[32];
    std::snprintf(size, sizeof size, "%zx\r\n", content.size());
    return size + content + "\r\n";
}

} // namespace

TEST_CASE("an island reads the whole content, then the end of file") {
    Site site;
    site.island("echo.sh", kEcho);
    Server server(site);
    HttpClient client(server.port());
    for (const std::size_t size : {1U, 100U, 65'536U, 70'000U, 2'000'000U}) {
        INFO(size);
        const auto content = noise(size);
        const auto answer = client.post("/cgi-bin/echo.sh", content, "application/x-noise");
        CHECK(answer.status == 200);
        CHECK(answer.field("X-Length") == std::to_string(size));
        CHECK((answer.body == content));
    }
}

TEST_CASE("without content there is no length, and the end of file at once") {
    Site site;
    site.island("echo.sh", kEcho);
    Server server(site);
    HttpClient client(server.port());
    const auto got = client.get("/cgi-bin/echo.sh");
    CHECK(got.field("X-Length") == "unset");
    CHECK(got.body.empty());
    const auto posted = client.post("/cgi-bin/echo.sh", "");
    CHECK((posted.field("X-Length") == "unset" || posted.field("X-Length") == "0"));
    CHECK(posted.body.empty());
}

TEST_CASE("chunked content is collected, so that its length can be told") {
    Site site;
    site.island("echo.sh", kEcho);
    Server server(site);
    HttpClient client(server.port());
    for (const std::size_t size : {1U, 5000U, 300'000U, 2'000'000U}) {
        INFO(size);
        const auto content = noise(size);
        const auto answer = client.send("PUT", "/cgi-bin/echo.sh", {}, content, true);
        CHECK(answer.status == 200);
        CHECK(answer.field("X-Length") == std::to_string(size));
        CHECK(answer.field("X-Coding") == "unset");
        CHECK((answer.body == content));
    }
}

TEST_CASE("chunks of one byte, extensions and trailers leave the content as it was") {
    Site site;
    site.island("echo.sh", kEcho);
    Server server(site);
    RawClient client(server.port());
    const std::string content = noise(500);
    std::string chunks;
    for (const char byte : content)
        chunks += "1;x=\"y\"\r\n" + std::string(1, byte) + "\r\n";
    chunks += "0\r\nX-Trailer: y\r\nHost: other\r\n\r\n";
    for (int i = 0; i < 2; ++i) {
        client.request("POST /cgi-bin/echo.sh HTTP/1.1", "Transfer-Encoding: chunked\r\n", chunks);
        const auto answer = client.response();
        CHECK(answer.field("X-Length") == "500");
        CHECK((answer.body == content));
    }
}

TEST_CASE("a client that waits for 100 Continue gets it at once, when somebody reads") {
    Site site;
    site.island("echo.sh", kEcho);
    Server server(site);
    for (const std::string coding : {"Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n"}) {
        INFO(coding);
        RawClient client(server.port());
        client.request("POST /cgi-bin/echo.sh HTTP/1.1", coding + "Expect: 100-continue\r\n");
        CHECK(client.response().status == 100);
        client.send(coding.starts_with("Content") ? "hello" : chunkOf("hello") + "0\r\n\r\n");
        CHECK(client.response().body == "hello");
    }
}

TEST_CASE("a refused upload is told so instead of being asked to go on") {
    Site site;
    site.document("page.html", "x");
    site.island("closed.sh", "#!/bin/sh\n", 0644);
    Server server(site);
    struct Case {
        const char* target;
        int status;
    };
    for (const Case c : {Case{"/page.html", 405}, Case{"/missing", 404},
                         Case{"/cgi-bin/closed.sh", 403}, Case{"/cgi-bin/none.sh", 404}}) {
        INFO(c.target);
        RawClient client(server.port());
        client.request(std::string("POST ") + c.target + " HTTP/1.1",
                       "Content-Length: 1000000\r\nExpect: 100-continue\r\n");
        CHECK(client.response().status == c.status);
        CHECK(client.closedByPeer());
    }
}

TEST_CASE("curl uploads a file of 1 MB without a second of waiting") {
    Site site;
    site.island("size.sh", "#!/bin/sh\nprintf 'Content-Type: text/plain\\n\\n'\nwc -c\n");
    Server server(site);
    const auto file = site.beside("upload");
    writeFile(file, noise(1'000'000));
    auto best = Duration(1h);
    for (int i = 0; i < 3; ++i) {
        const Stopwatch watch;
        const auto outcome =
            shell("curl -sS --max-time 30 -F file=@" + file.string() +
                  " http://127.0.0.1:" + std::to_string(server.port()) + "/cgi-bin/size.sh");
        INFO(outcome.err);
        CHECK(std::stol(outcome.out) > 1'000'000);
        best = std::min(best, watch.elapsed());
    }
    CHECK(best < 900ms);
}

TEST_CASE("content beyond the limit is refused before it is sent") {
    Site site;
    site.island("echo.sh", kEcho);
    Server server(site);
    RawClient client(server.port());
    client.request("POST /cgi-bin/echo.sh HTTP/1.1", "Content-Length: 100000000\r\n");
    CHECK(client.response().status == 413);
    CHECK(client.closedByPeer());
    RawClient waiting(server.port());
    waiting.request("POST /cgi-bin/echo.sh HTTP/1.1",
                    "Content-Length: 100000000\r\nExpect: 100-continue\r\n");
    CHECK(waiting.response().status == 413);
}

TEST_CASE("chunked content is refused as soon as it goes beyond the limit") {
    Site site;
    site.island("echo.sh", kEcho);
    Server server(site);
    const auto before = residentBytes(server.serverPid());
    RawClient client(server.port());
    client.request("POST /cgi-bin/echo.sh HTTP/1.1", "Transfer-Encoding: chunked\r\n");
    const std::string chunk = chunkOf(std::string(1'000'000, 'x'));
    int sent = 0;
    while (sent < 100 && client.sendUntilRefused(chunk, 2s) == chunk.size())
        ++sent;
    CHECK(sent < 100);
    CHECK(client.response().status == 413);
    CHECK(residentBytes(server.serverPid()) < before + 8'000'000 * kSlack);
    CHECK(server.islands().empty());
}

TEST_CASE("long content streams to the island as the client sends it") {
    Site site;
    Mailbox heard(site.beside("heard"));
    site.island("lines.sh", "#!/bin/sh\nwhile read line; do echo \"$line\" > " + heard.path() +
                                "; done\nprintf 'Content-Type: text/plain\\n\\ndone'\n");
    Server server(site);
    RawClient client(server.port());
    client.request("POST /cgi-bin/lines.sh HTTP/1.1", "Content-Length: 100000\r\n", "one\n");
    CHECK(heard.line() == "one");
    client.send("two\n");
    CHECK(heard.line() == "two");
    client.send(std::string(100'000 - 9, 'x') + "\n");
    CHECK(heard.line() == std::string(100'000 - 9, 'x'));
    CHECK(client.response().body == "done");
}

TEST_CASE("short content is there when the island starts") {
    Site site;
    Mailbox heard(site.beside("heard"));
    site.island("starts.sh", "#!/bin/sh\necho started > " + heard.path() +
                                 "\nprintf 'Content-Type: text/plain\\n\\n'; cat\n");
    Server server(site);
    RawClient client(server.port());
    client.request("POST /cgi-bin/starts.sh HTTP/1.1", "Content-Length: 10\r\n", "first");
    CHECK(client.silentFor(200ms));
    CHECK(heard.empty());
    client.send("later");
    CHECK(client.response().body == "firstlater");
}

TEST_CASE("an upload that breaks off ends its island") {
    Site site;
    Mailbox heard(site.beside("heard"));
    site.island("reads.sh",
                "#!/bin/sh\necho $$ > " + heard.path() + "\ncat > /dev/null\nsleep 100\n");
    Server server(site);
    for (const bool hard : {false, true}) {
        RawClient client(server.port());
        client.request("POST /cgi-bin/reads.sh HTTP/1.1", "Content-Length: 100000\r\n", "some");
        const auto island = static_cast<pid_t>(std::stol(heard.line()));
        hard ? client.reset() : client.close();
        CHECK(awaitGone(island));
    }
    CHECK(eventually([&] { return server.islands().empty(); }));
}
