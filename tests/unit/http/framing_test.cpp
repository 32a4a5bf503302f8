#include "http/framing.h"
#include "parsing.h"

#include <catch2/catch.hpp>

using namespace reef;
using namespace reef::http;

namespace {

/// The verdict over a POST with these lines, asked in one piece and byte by byte.
struct Framed {
    explicit Framed(const std::string& lines, const char* version = "1.1") {
        const std::string head =
            std::string("POST / HTTP/") + version + "\r\nHost: a\r\n" + lines + "\r\n";
        parsed.whole(head);
        ParsedHead pieces;
        pieces.byteByByte(head);
        CHECK(pieces.status() == parsed.status());
    }
    const Framing& framing() const { return parsed.parser.framing(); }
    int status() const { return parsed.status(); }
    ParsedHead parsed;
};

} // namespace

TEST_CASE("a length is digits and nothing else") {
    CHECK(Framed("Content-Length: 5\r\n").framing().length == 5);
    CHECK(Framed("Content-Length: 5\r\n").framing().body == BodyKind::length);
    CHECK(Framed("content-LENGTH:\t007 \r\n").framing().length == 7);
    CHECK(Framed("Content-Length: 0\r\n").framing().body == BodyKind::none);
    CHECK(Framed("Content-Length: 9223372036854775807\r\n").framing().length ==
          9223372036854775807U);
    for (const char* value :
         {"", "+5", "-5", "5,", "5, 5", "5 5", "0x5", "5.0", "1e3", "five", "5\t5", "\xd9\xa5",
          "9223372036854775808", "18446744073709551616", "99999999999999999999999"}) {
        INFO(value);
        CHECK(Framed(std::string("Content-Length: ") + value + "\r\n").status() == 400);
    }
}

TEST_CASE("a second Content-Length is rejected, also when it is the same") {
    CHECK(Framed("Content-Length: 5\r\nContent-Length: 5\r\n").status() == 400);
    CHECK(Framed("Content-Length: 5\r\nX: y\r\ncontent-length: 6\r\n").status() == 400);
}

TEST_CASE("the only transfer coding is one final chunked") {
    CHECK(Framed("Transfer-Encoding: chunked\r\n").framing().body == BodyKind::chunked);
    CHECK(Framed("transfer-encoding: ChunKed \r\n").framing().body == BodyKind::chunked);
    for (const char* value :
         {"", "gzip", "identity", "chunked, gzip", "chunked, chunked", "chunked,", ",chunked",
          "chunked;q=1", "chunked;", "\"chunked\"", "xchunked", "chunked x", "chu nked", "chunk",
          "gzip,,chunked", "chunked, identity",
          "\x0b"
          "chunked"}) {
        INFO(value);
        CHECK(Framed(std::string("Transfer-Encoding: ") + value + "\r\n").status() == 400);
    }
    CHECK(Framed("Transfer-Encoding: gzip, chunked\r\n").status() == 501);
    CHECK(Framed("Transfer-Encoding: unknown,chunked\r\n").status() == 501);
    CHECK(Framed("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n").status() == 400);
    CHECK(Framed("Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n").status() == 400);
}

TEST_CASE("a message with a length and a coding is rejected, in either order") {
    CHECK(Framed("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n").status() == 400);
    CHECK(Framed("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n").status() == 400);
    CHECK(Framed("Transfer-Encoding: chunked\r\nContent-Length: 0\r\n").status() == 400);
    CHECK(Framed("Content-Length: x\r\nTransfer-Encoding: chunked\r\n").status() == 400);
}

TEST_CASE("a name that only looks like Transfer-Encoding frames nothing") {
    CHECK(Framed("Transfer_Encoding: chunked\r\n").framing().body == BodyKind::none);
    CHECK(Framed("Transfer-Encodingx: chunked\r\n").framing().body == BodyKind::none);
    CHECK(Framed("Transfer-Encoding : chunked\r\n").status() == 400);
    CHECK(Framed("Transfer-Encoding\r\n : chunked\r\n").status() == 400);
}

TEST_CASE("HTTP/1.0 knows no transfer coding and no expectation") {
    CHECK(Framed("Transfer-Encoding: chunked\r\n", "1.0").status() == 400);
    const Framed framed("Content-Length: 5\r\nExpect: 100-continue\r\n", "1.0");
    CHECK(framed.status() == 0);
    CHECK_FALSE(framed.framing().expectContinue);
}

TEST_CASE("a client waits for 100 only when it has content") {
    CHECK(Framed("Content-Length: 5\r\nExpect: 100-Continue\r\n").framing().expectContinue);
    CHECK(
        Framed("Transfer-Encoding: chunked\r\nexpect: 100-continue\r\n").framing().expectContinue);
    CHECK_FALSE(Framed("Expect: 100-continue\r\n").framing().expectContinue);
    CHECK_FALSE(Framed("Content-Length: 0\r\nExpect: 100-continue\r\n").framing().expectContinue);
    CHECK(
        Framed("Content-Length: 5\r\nExpect: 100-continue\r\nExpect: 100-continue\r\n").status() ==
        417);
    for (const char* value : {"", "200-ok", "100-continue, x", "100-continue;x"}) {
        INFO(value);
        CHECK(Framed(std::string("Content-Length: 5\r\nExpect: ") + value + "\r\n").status() ==
              417);
    }
}

TEST_CASE("1.1 keeps the connection unless told, 1.0 closes it unless told") {
    struct {
        const char* version;
        const char* lines;
        bool keep;
    } const cases[] = {
        {"1.1", "", true},
        {"1.1", "Connection: close\r\n", false},
        {"1.1", "Connection: Keep-Alive, CLOSE\r\n", false},
        {"1.1", "Connection: x\r\nconnection: close\r\n", false},
        {"1.1", "Connection: closed\r\n", true},
        {"1.1", "Connection: upgrade\r\n", true},
        {"1.0", "", false},
        {"1.0", "Connection: keep-alive\r\n", true},
        {"1.0", "Connection: keep-alive, close\r\n", false},
        {"1.0", "Keep-Alive: 300\r\n", false},
    };
    for (const auto& c : cases) {
        INFO(c.version << " " << c.lines);
        CHECK(Framed(c.lines, c.version).framing().keepAlive == c.keep);
    }
}

TEST_CASE("length and coding can be asked for alone, for a back end's answer") {
    Arena arena;
    HeaderList fields(arena);
    CHECK_FALSE(contentLengthIn(fields).value());
    CHECK_FALSE(chunkedIn(fields).value());
    fields.add("content-length", "12");
    CHECK(contentLengthIn(fields).value() == 12U);
    fields.add("Content-Length", "12");
    CHECK(contentLengthIn(fields).error().status == 400);
    fields.add("Transfer-Encoding", "chunked");
    CHECK(chunkedIn(fields).value());
}
