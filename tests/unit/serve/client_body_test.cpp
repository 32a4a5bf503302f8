#include "serve/client_body.h"
#include "serve/peer.h"

#include <catch2/catch.hpp>

using namespace reef;

namespace {

struct Fixture {
    Fixture() : peer(loop, std::move(pair.one)), stream(loop, std::move(pair.two)) {}
    ~Fixture() { loop.tasks().dropAll(); }

    serve::ClientBody& open(http::BodyKind kind, ByteCount length, std::string_view received = {}) {
        http::Framing framing;
        framing.body = kind;
        framing.length = length;
        framing.expectContinue = expectContinue;
        body.emplace(stream, settings, arena);
        body->begin(framing, bytesOf(received));
        return *body;
    }

    /// The next piece as text, or the failure.
    Result<std::string> next() {
        std::optional<Result<std::string>> outcome;
        loop.tasks().start(run(*body, outcome));
        test::runUntil(loop, [&] { return outcome.has_value(); });
        return *outcome;
    }

    Result<std::string> all() {
        std::string content;
        for (;;) {
            const auto piece = next();
            if (!piece) return fail(piece.error());
            if (piece->empty()) return content;
            content += *piece;
        }
    }

    static Task<void> run(serve::ClientBody& body, std::optional<Result<std::string>>& outcome) {
        const auto piece = co_await body.read();
        if (piece) {
            outcome = std::string(textOf(*piece));
        } else {
            outcome = fail(piece.error());
        }
    }

    io::Loop loop;
    test::SocketPair pair;
    test::Peer peer;
    io::SocketStream stream;
    serve::Settings settings;
    Arena arena;
    std::optional<serve::ClientBody> body;
    bool expectContinue = false;
};

} // namespace

TEST_CASE_METHOD(Fixture,
                 "counted content ends where its length says, the rest is the next request's") {
    open(http::BodyKind::length, 5, "helloGET /");
    CHECK(all() == "hello");
    CHECK(body->ended());
    CHECK(textOf(body->remainder()) == "GET /");
    CHECK(all() == ""); // and again
}

TEST_CASE_METHOD(Fixture, "counted content never takes more from the connection than is its own") {
    open(http::BodyKind::length, 10, "hello");
    peer.send("worldGET /");
    CHECK(all() == "helloworld");
    CHECK(body->remainder().empty());
    char next[10];
    CHECK(stream.readNow(next) == 5);
}

TEST_CASE_METHOD(Fixture, "chunked content is decoded, from what was received and what comes") {
    open(http::BodyKind::chunked, 0, "3\r\nhel\r\n2\r");
    peer.send("\nlo\r\n0\r\n\r\nGET /");
    CHECK_FALSE(body->length());
    CHECK(all() == "hello");
    CHECK(textOf(body->remainder()) == "GET /");
}

TEST_CASE_METHOD(Fixture, "no content is over at once") {
    open(http::BodyKind::none, 0, "GET /");
    CHECK(body->ended());
    CHECK(body->length() == ByteCount{0});
    CHECK(next() == "");
    CHECK(textOf(body->remainder()) == "GET /");
}

TEST_CASE_METHOD(Fixture,
                 "the client is asked to go on when somebody reads, not before, and once") {
    expectContinue = true;
    open(http::BodyKind::length, 2);
    CHECK(body->unasked());
    std::optional<Result<std::string>> outcome;
    loop.tasks().start(run(*body, outcome));
    CHECK(peer.readUntil("\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n");
    CHECK_FALSE(body->unasked());
    peer.send("a");
    test::runUntil(loop, [&] { return outcome.has_value(); });
    peer.send("b");
    CHECK(next() == "b");
    stream.endWriting();
    CHECK(peer.readToEnd().empty());
}

TEST_CASE_METHOD(Fixture, "content that is there already is not asked for") {
    expectContinue = true;
    open(http::BodyKind::length, 2, "ab");
    CHECK(all() == "ab");
    stream.endWriting();
    CHECK(peer.readToEnd().empty());
}

TEST_CASE_METHOD(Fixture,
                 "content that breaks off, is malformed, late or too large fails as such") {
    SECTION("breaks off") {
        open(http::BodyKind::length, 10, "hello");
        peer.endWriting();
        CHECK(all().error() == Error::peerClosed);
    }
    SECTION("breaks off within its chunks") {
        open(http::BodyKind::chunked, 0, "5\r\nhello\r\n");
        peer.endWriting();
        CHECK(all().error() == Error::peerClosed);
    }
    SECTION("malformed") {
        open(http::BodyKind::chunked, 0, "x\r\n");
        CHECK(all().error() == Error::malformed);
    }
    SECTION("late") {
        settings.bodyTimeout = std::chrono::milliseconds(10);
        open(http::BodyKind::length, 10, "hello");
        CHECK(all().error() == Error::timedOut);
    }
    SECTION("too large, by its length") {
        settings.maxBody = 4;
        open(http::BodyKind::length, 5, "hello");
        CHECK(all().error() == Error::tooLarge);
    }
    SECTION("too large, by its chunks") {
        settings.maxBody = 4;
        open(http::BodyKind::chunked, 0, "3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n");
        CHECK(all().error() == Error::tooLarge);
    }
}

TEST_CASE_METHOD(Fixture, "what nobody wants is skipped up to a limit") {
    const auto discarded = [this](ByteCount limit) {
        std::optional<bool> outcome;
        struct Discard {
            static Task<void> run(serve::ClientBody& from, ByteCount most,
                                  std::optional<bool>& did) {
                did = co_await from.discard(most);
            }
        };
        loop.tasks().start(Discard::run(*body, limit, outcome));
        test::runUntil(loop, [&] { return outcome.has_value(); });
        return *outcome;
    };
    open(http::BodyKind::length, 5, "helloGET /");
    CHECK(discarded(5));
    CHECK(textOf(body->remainder()) == "GET /");
    open(http::BodyKind::length, 5, "helloGET /");
    CHECK_FALSE(discarded(4));
    open(http::BodyKind::chunked, 0, "x\r\n");
    CHECK_FALSE(discarded(100));
}
