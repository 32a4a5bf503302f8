#include "base/arena.h"
#include "http/chunked.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

using namespace reef;
using namespace reef::http;

namespace {

using State = ChunkedDecoder::State;

struct Decoded {
    /// Feeds `body` in steps of so many bytes, each in memory of its own size.
    explicit Decoded(std::string_view body, std::size_t step = 0, ChunkedLimits limits = {})
        : decoder(arena, limits) {
        if (step == 0) step = body.size();
        while (!body.empty() && decoder.state() == State::reading) {
            const std::vector<char> part(
                body.begin(), body.begin() + std::ptrdiff_t(std::min(step, body.size())));
            ByteView input(part);
            while (!input.empty() && decoder.state() == State::reading) {
                const auto piece = decoder.take(input);
                content += textOf(piece.content);
                consumed += piece.consumed;
                input = input.subspan(piece.consumed);
            }
            body.remove_prefix(part.size());
        }
    }

    Arena arena;
    ChunkedDecoder decoder;
    std::string content;
    std::size_t consumed = 0;
};

/// The same in one piece, byte by byte, and in threes.
void bothWays(std::string_view body, State state, std::string_view content,
              ChunkedLimits limits = {}) {
    for (const std::size_t step : {std::size_t{0}, std::size_t{1}, std::size_t{3}}) {
        INFO(body.substr(0, 100) << " in steps of " << step);
        const Decoded decoded(body, step, limits);
        CHECK(decoded.decoder.state() == state);
        CHECK(decoded.content == content);
    }
}

void rejected(std::string_view body, ChunkedLimits limits = {}) {
    const Decoded whole(body, 0, limits);
    bothWays(body, State::rejected, whole.content, limits);
    CHECK(whole.decoder.rejection().status == 400);
}

} // namespace

TEST_CASE("chunks are joined, and what follows the body is left alone") {
    const std::string body = "5\r\nhello\r\n1\r\n,\r\n00A\r\n 123456789\r\n0\r\n\r\n";
    bothWays(body, State::ended, "hello, 123456789");
    const Decoded decoded(body + "GET / HTTP/1.1\r\n");
    CHECK(decoded.decoder.state() == State::ended);
    CHECK(decoded.consumed == body.size());
    bothWays("0\r\n\r\n", State::ended, "");
    bothWays("000\r\n\r\n", State::ended, "");
}

TEST_CASE("content is a part of the input, not a copy") {
    Arena arena;
    ChunkedDecoder decoder(arena);
    const std::string body = "5\r\nhello\r\n0\r\n\r\n";
    const auto piece = decoder.take(bytesOf(body));
    CHECK(piece.content.data() == body.data() + 3);
    CHECK(piece.content.size() == 5);
    CHECK(piece.consumed == 8);
}

TEST_CASE("every unfinished front of a body is still being read") {
    const std::string body = "5;a=\"b\"\r\nhello\r\n0\r\nT: x\r\n\r\n";
    for (std::size_t size = 0; size < body.size(); ++size) {
        CHECK(Decoded(std::string_view(body).substr(0, size)).decoder.state() == State::reading);
    }
}

TEST_CASE("a chunk size is hexadecimal digits alone") {
    for (const char* body :
         {"\r\n", "x\r\n", "g\r\nx", "+5\r\nhello\r\n", "-1\r\n", " 5\r\nhello\r\n", "\t5\r\n",
          "5 \r\nhello\r\n", "5\t\r\nhello\r\n", "0x5\r\nhello\r\n", "5h\r\n", "5,5\r\n", "5.\r\n",
          "5\xc2\xa0\r\n", ";a\r\n", "5 5\r\nhello\r\n", "5_0\r\n"}) {
        rejected(body);
    }
}

TEST_CASE("lines of the coding end in CRLF alone") {
    for (const char* body :
         {"5\nhello\r\n0\r\n\r\n", "5\rhello\r\n", "5\r\r\nhello", "5\r\nhello\n0\r\n\r\n",
          "5\r\nhello\r0", "5\r\nhello0\r\n\r\n", "5\r\nhelloX\r\n", "5\r\nhel\r\n0\r\n\r\n",
          "0\n\n", "0\r\n\n", "0\r\n\r\r\n", "0\r\nT: x\n\r\n", "\n5\r\n"}) {
        rejected(body);
    }
}

TEST_CASE("a chunk has at most 2^63 - 1 bytes, written with at most 16 digits") {
    const Decoded most("7fffffffffffffff\r\nx");
    CHECK(most.decoder.state() == State::reading);
    CHECK(most.decoder.pendingContent() == 0x7ffffffffffffffeU);
    const Decoded zeros("0000000000000001\r\nx\r\n");
    CHECK(zeros.decoder.state() == State::reading);
    rejected("8000000000000000\r\n");
    rejected("ffffffffffffffff\r\n");
    rejected("10000000000000000\r\n"); // 2^64 + 0 in a server that wraps
    rejected("00000000000000001\r\n");
    rejected("10000000000000005\r\nhello\r\n");
}

TEST_CASE("extensions are validated and ignored") {
    for (const char* line : {"5;a", "5;a=b", "5;a=\"b;c\\\"\\\\d\"", "5;a;b=c;d", "5 ;a",
                             "5\t; a = b ; c", "5;a=\"\"", "5;a=\"\t \xff\"", "5;a=\"b\" ;c"}) {
        bothWays(std::string(line) + "\r\nhello\r\n0;last=1\r\n\r\n", State::ended, "hello");
    }
    for (const char* line : {"5;", "5;;a", "5;=b", "5;a=", "5;a=;b", "5;a=b c", "5;a b", "5;a=\"b",
                             "5;a=\"b\"c", "5;a=\"\\", "5;a ", "5;a=b ", "5;a=\"b\" ", "5;a(",
                             "5;a=(", "5;a=\"\x01\"", "5;a=\"\\\x01\"", "5;\xff"}) {
        rejected(std::string(line) + "\r\nhello\r\n0\r\n\r\n");
    }
    rejected("5;a=\"x\ny\"\r\nhello\r\n0\r\n\r\n");
    rejected("5;a=\"x\r\ny\"\r\nhello\r\n0\r\n\r\n");
    rejected(std::string_view("5;a=\"\0\"\r\nhello\r\n", 17));
}

TEST_CASE("extensions are limited, in one line and in all") {
    ChunkedLimits limits;
    limits.sizeLine = 8;
    limits.extensions = 14;
    bothWays("1;abcdef\r\nx\r\n1;abcdef\r\nx\r\n0\r\n\r\n", State::ended, "xx", limits);
    rejected("1;abcdefg\r\nx\r\n0\r\n\r\n", limits);
    rejected("1;abcdef\r\nx\r\n1;abcdef\r\nx\r\n0;a\r\n\r\n", limits);
    rejected("1;" + std::string(100000, 'a'));
}

TEST_CASE("trailers are read, and those that change the message are dropped") {
    const std::string body = "1\r\nx\r\n0\r\nDigest: abc\r\nContent-Length: "
                             "5\r\nTRANSFER-ENCODING: chunked\r\nHost: b\r\n"
                             "Authorization: y\r\nSet-Cookie: z\r\nX-Time:  12 \r\n\r\n";
    for (const std::size_t step : {0U, 1U, 7U}) {
        const Decoded decoded(body + "GET", step);
        REQUIRE(decoded.decoder.state() == State::ended);
        CHECK(decoded.consumed == body.size());
        const HeaderList& trailers = decoded.decoder.trailers();
        CHECK(trailers.size() == 2);
        CHECK(trailers.find("digest") == "abc");
        CHECK(trailers.find("x-time") == "12");
    }
}

TEST_CASE("bad and oversized trailers are rejected") {
    for (const char* trailer : {"X : y", "X", ": y", " X: y", "X: y\r\n z"}) {
        rejected(std::string("0\r\n") + trailer + "\r\n\r\n");
    }
    const auto statusOf = [](const std::string& body, std::size_t step) {
        const Decoded decoded(body, step);
        CHECK(decoded.decoder.state() == State::rejected);
        CHECK(decoded.consumed < 8300); // and no more was copied
        return decoded.decoder.rejection().status;
    };
    std::string many = "0\r\n";
    for (int i = 0; i < 33; ++i)
        many += "X: y\r\n";
    for (const std::size_t step : {0U, 1U}) {
        CHECK(statusOf("0\r\nX: " + std::string(9000, 'a'), step) == 431);
        CHECK(statusOf("0\r\nX: " + std::string(100000, 'a') + "\r\n\r\n", step) == 431);
        CHECK(statusOf(many, step) == 431);
    }
}

TEST_CASE("content may be moved past the decoder") {
    Arena arena;
    ChunkedDecoder decoder(arena);
    const auto framing = decoder.take(bytesOf("10\r\n"));
    CHECK(framing.consumed == 4);
    CHECK(decoder.pendingContent() == 16);
    decoder.skipContent(10);
    CHECK(decoder.pendingContent() == 6);
    decoder.skipContent(6);
    CHECK(decoder.pendingContent() == 0);
    decoder.take(bytesOf("\r\n0\r\n\r\n"));
    CHECK(decoder.state() == State::ended);
}

TEST_CASE("nothing is consumed behind the end or behind a fault") {
    Arena arena;
    ChunkedDecoder ended(arena);
    ended.take(bytesOf("0\r\n\r\n"));
    CHECK(ended.take(bytesOf("5\r\n")).consumed == 0);
    ChunkedDecoder bad(arena);
    CHECK(bad.take(bytesOf("5q")).consumed == 1);
    CHECK(bad.take(bytesOf("5")).consumed == 0);
}

TEST_CASE("what the encoder writes, the decoder reads") {
    std::string body;
    std::string content;
    for (const std::size_t size : {1U, 15U, 16U, 255U, 4096U, 70000U}) {
        const std::string chunk(size, 'c');
        content += chunk;
        body.append(textOf(ChunkPrefix(size).bytes())).append(chunk).append(kChunkEnd);
    }
    body += kLastChunk;
    bothWays(body, State::ended, content);
    CHECK(textOf(ChunkPrefix(~ByteCount{0}).bytes()) == "ffffffffffffffff\r\n");
    CHECK(textOf(ChunkPrefix(26).bytes()) == "1a\r\n");
}
