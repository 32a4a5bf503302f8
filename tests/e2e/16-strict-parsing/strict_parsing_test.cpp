#include "harness/raw_client.h"
#include "harness/server.h"
#include "harness/text.h"

#include <catch2/catch.hpp>
#include <vector>

using namespace reef::e2e;
using namespace std::string_literals;

namespace {

struct Case {
    std::string bytes;
    int status;
};

/// A valid request with these field lines added.
std::string with(const std::string& fields) {
    return "GET /ok.txt HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n";
}

std::string post(const std::string& fields, const std::string& content) {
    return "POST /cgi-bin/echo.sh HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n" + content;
}

std::string chunked(const std::string& content) {
    return post("Transfer-Encoding: chunked\r\n", content);
}

/// What a smuggler hopes to have answered too.
const std::string kHidden = "GET /ok.txt HTTP/1.1\r\nHost: a\r\n\r\n";

void prepare(Site& site) {
    site.document("ok.txt", "ok");
    site.island("echo.sh", "#!/bin/sh\nprintf 'Content-Type: text/plain\\n\\n'\ncat\n");
}

/// Each is answered once, with its status, and the connection closed: whatever follows is ignored.
void checkRefused(const std::vector<Case>& cases) {
    Site site;
    prepare(site);
    Server server(site);
    for (const Case& c : cases) {
        INFO(c.bytes.substr(0, 200));
        RawClient client(server.port());
        client.sendUntilRefused(c.bytes + kHidden, kPatience);
        const auto answer = client.response();
        CHECK(answer.status == c.status);
        CHECK(answer.field("Connection") == "close");
        CHECK(client.readToEnd().empty());
    }
    CHECK(fetch(server.port(), "/ok.txt").body == "ok");
}

void checkAnswered(const std::vector<Case>& cases) {
    Site site;
    prepare(site);
    Server server(site);
    for (const Case& c : cases) {
        INFO(c.bytes.substr(0, 200));
        RawClient client(server.port());
        client.send(c.bytes);
        CHECK(client.response().status == c.status);
    }
}

} // namespace

TEST_CASE("a request line that two servers could read differently is refused") {
    checkRefused({
        {"GET /ok.txt HTTP/1.1\nHost: a\r\n\r\n", 400},
        {"GET /ok.txt\r\nHost: a\r\n\r\n", 400},
        {"GET  /ok.txt HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        {"GET /ok.txt  HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        {"GET\t/ok.txt HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        {"GET /ok txt HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        {"GET /ok.txt HTTP/1.1 \r\nHost: a\r\n\r\n", 400},
        {" GET /ok.txt HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        {"GET /ok.txt http/1.1\r\nHost: a\r\n\r\n", 400},
        {"GET /ok.txt HTTP/1.10\r\nHost: a\r\n\r\n", 400},
        {"GET /ok.txt HTTPS/1.1\r\nHost: a\r\n\r\n", 400},
        {"G@T /ok.txt HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        {"GET ok.txt HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        {"GET * HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        {"GET ftp://a/ok.txt HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        {"GET /ok.txt\x01 HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        {"GET /ok.txt\0 HTTP/1.1\r\nHost: a\r\n\r\n"s, 400},
        {"GET /\xff HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        {"\r\n\r\nGET /ok.txt HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        {"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 TLS on a plain port\r\n\r\n"s, 400},
        {"GET /ok.txt HTTP/2.0\r\nHost: a\r\n\r\n", 505},
        {"GET /ok.txt HTTP/1.2\r\nHost: a\r\n\r\n", 505},
        {"GET /ok.txt HTTP/0.9\r\nHost: a\r\n\r\n", 505},
        {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505},
    });
}

TEST_CASE("field lines that two servers could read differently are refused") {
    checkRefused({
        {with("X : y\r\n"), 400},
        {with("X\t: y\r\n"), 400},
        {with(" X: y\r\n"), 400},
        {with("X: y\r\n folded\r\n"), 400},
        {with("X: y\r\n\tfolded\r\n"), 400},
        {with("X y\r\n"), 400},
        {with(": y\r\n"), 400},
        {with("X: y\n"), 400},
        {with("X: y\rZ: z\r\n"), 400},
        {with("X: a\0b\r\n"s), 400},
        {with("X: a\x01"
              "b\r\n"),
         400},
        {with("X: a\x7f"
              "b\r\n"),
         400},
        {with("X\xe9: y\r\n"), 400},
        {with("(X): y\r\n"), 400},
    });
}

TEST_CASE("one valid Host is needed") {
    checkRefused({
        {"GET /ok.txt HTTP/1.1\r\n\r\n", 400},
        {with("Host: a\r\n"), 400},
        {with("host: b\r\n"), 400},
        {"GET /ok.txt HTTP/1.1\r\nHost: a b\r\n\r\n", 400},
        {"GET /ok.txt HTTP/1.1\r\nHost: a/b\r\n\r\n", 400},
        {"GET /ok.txt HTTP/1.1\r\nHost: a@b\r\n\r\n", 400},
        {"GET /ok.txt HTTP/1.1\r\nHost: a:b\r\n\r\n", 400},
        {"GET /ok.txt HTTP/1.1\r\nHost: a, b\r\n\r\n", 400},
        {"GET /ok.txt HTTP/1.1\r\nHost: [::1\r\n\r\n", 400},
        {"GET /ok.txt HTTP/1.1\r\nHost:\r\n\r\n", 400},
    });
    checkAnswered({
        {"GET /ok.txt HTTP/1.1\r\nHost: [::1]:80\r\n\r\n", 200},
        {"GET /ok.txt HTTP/1.1\r\nHost: EXAMPLE.org:8080\r\n\r\n", 200},
        {"GET /ok.txt HTTP/1.0\r\n\r\n", 200},
        {"GET http://b.example/ok.txt HTTP/1.1\r\nHost: a\r\n\r\n", 200},
        {"\r\n" + kHidden, 200},
    });
}

TEST_CASE("a length that is not one plain number is refused") {
    checkRefused({
        {post("Content-Length: 5\r\nContent-Length: 5\r\n", "hello"), 400},
        {post("Content-Length: 5\r\nContent-Length: 6\r\n", "hello"), 400},
        {post("Content-Length: 5, 5\r\n", "hello"), 400},
        {post("Content-Length: +5\r\n", "hello"), 400},
        {post("Content-Length: -5\r\n", "hello"), 400},
        {post("Content-Length: 0x5\r\n", "hello"), 400},
        {post("Content-Length: 5 5\r\n", "hello"), 400},
        {post("Content-Length: 1,0\r\n", "hello"), 400},
        {post("Content-Length:\r\n", "hello"), 400},
        {post("Content-Length: 99999999999999999999\r\n", "hello"), 400},
    });
}

TEST_CASE("content that could be framed in two ways is refused") {
    checkRefused({
        {post("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"), 400},
        {post("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", "0\r\n\r\n"), 400},
        {post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"), 400},
        {post("Transfer-Encoding: chunked, identity\r\n", "0\r\n\r\n"), 400},
        {post("Transfer-Encoding: identity\r\n", "0\r\n\r\n"), 400},
        {post("Transfer-Encoding: xchunked\r\n", "0\r\n\r\n"), 400},
        {post("Transfer-Encoding: chunked;q=1\r\n", "0\r\n\r\n"), 400},
        {post("Transfer-Encoding: \"chunked\"\r\n", "0\r\n\r\n"), 400},
        {post("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n"), 501},
        {"POST /cgi-bin/echo.sh HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400},
    });
}

TEST_CASE("chunks that two servers could read differently are refused") {
    checkRefused({
        {chunked("0x5\r\nhello\r\n0\r\n\r\n"), 400},
        {chunked("+5\r\nhello\r\n0\r\n\r\n"), 400},
        {chunked("-5\r\nhello\r\n0\r\n\r\n"), 400},
        {chunked(" 5\r\nhello\r\n0\r\n\r\n"), 400},
        {chunked("5 \r\nhello\r\n0\r\n\r\n"), 400},
        {chunked("5\nhello\r\n0\r\n\r\n"), 400},
        {chunked("5\r\nhello\n0\r\n\r\n"), 400},
        {chunked("5\r\nhelloX\r\n0\r\n\r\n"), 400},
        {chunked("\r\nhello\r\n0\r\n\r\n"), 400},
        {chunked("g\r\nhello\r\n0\r\n\r\n"), 400},
        {chunked("FFFFFFFFFFFFFFFFF\r\nhello\r\n0\r\n\r\n"), 400},
        {chunked("5;x\ny\r\nhello\r\n0\r\n\r\n"), 400},
        {chunked("5\r\nhello\r\n0\r\nBad trailer\r\n\r\n"), 400},
        {chunked("5\r\nhello\r\n0\r\nX : y\r\n\r\n"), 400},
    });
    checkAnswered({
        {chunked("5\r\nhello\r\n0\r\n\r\n"), 200},
        {chunked("0005;name=value;quoted=\"a\\\"b;\"\r\nhello\r\n0;last\r\nTrailer: x\r\n\r\n"),
         200},
        {post("Transfer-Encoding: Chunked\r\n", "a\r\n0123456789\r\nA\r\n0123456789\r\n0\r\n\r\n"),
         200},
    });
}

TEST_CASE("heads beyond the limits are refused, and the server lives") {
    std::string many;
    for (int i = 0; i < 200; ++i)
        many += "X-" + std::to_string(i) + ": y\r\n";
    checkRefused({
        {"GET /" + std::string(9000, 'a') + " HTTP/1.1\r\nHost: a\r\n\r\n", 414},
        {"GET /" + std::string(1'000'000, 'a') + " HTTP/1.1\r\nHost: a\r\n\r\n", 414},
        {std::string(100'000, 'G') + " / HTTP/1.1\r\nHost: a\r\n\r\n", 414},
        {with("X: " + std::string(40'000, 'y') + "\r\n"), 431},
        {with("X: " + std::string(1'000'000, 'y') + "\r\n"), 431},
        {with(std::string(40'000, 'X') + ": y\r\n"), 431},
        {with(many), 431},
    });
    checkAnswered({
        {with("Cookie: " + std::string(20'000, 'y') + "\r\n"), 200},
        {"GET /ok.txt?" + std::string(8000, 'a') + " HTTP/1.1\r\nHost: a\r\n\r\n", 200},
    });
}

TEST_CASE("expectations other than 100-continue are refused") {
    checkRefused({
        {post("Content-Length: 5\r\nExpect: 200-ok\r\n", "hello"), 417},
        {post("Content-Length: 5\r\nExpect: 100-continue, x\r\n", "hello"), 417},
    });
}

TEST_CASE("a head that never ends is cut off at the limit, not collected") {
    Site site;
    prepare(site);
    Server server(site);
    const auto before = residentBytes(server.serverPid());
    RawClient client(server.port());
    client.send("GET /ok.txt HTTP/1.1\r\nHost: a\r\n");
    const std::string line = "X: " + std::string(990, 'y') + "\r\n";
    std::size_t sent = 0;
    for (int i = 0; i < 2000; ++i)
        sent += client.sendUntilRefused(line, 200ms);
    CHECK(client.response().status == 431);
    INFO(sent);
    CHECK(residentBytes(server.serverPid()) < before + 4'000'000 * kSlack);
}

TEST_CASE("noise is answered with 400 or silence, and harms nobody") {
    Site site;
    prepare(site);
    Server server(site);
    for (std::uint32_t seed = 1; seed <= 60; ++seed) {
        RawClient client(server.port());
        client.sendUntilRefused(noise(3000, seed), 1s);
        client.endWriting();
        const auto received = client.readToEnd();
        INFO(received.substr(0, 100));
        CHECK((received.empty() || received.starts_with("HTTP/1.1 400 ")));
    }
    CHECK(fetch(server.port(), "/ok.txt").body == "ok");
}
