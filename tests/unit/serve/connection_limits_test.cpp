#include "io/sleep.h"
#include "serve/served_connection.h"

#include <catch2/catch.hpp>

using namespace reef;
using namespace std::chrono_literals;
using test::kGet;

namespace {

using Fixture = test::ServedConnection;

/// Pulls the whole content and says how much it was.
Task<http::Handled> countContent(http::Request& request, http::ResponseSink& sink) {
    ByteCount total = 0;
    for (;;) {
        const auto piece = co_await request.body->read();
        if (!piece) co_return http::failWith(piece.error() == Error::timedOut ? 408 : 400);
        if (piece->empty()) break;
        total += piece->size();
    }
    http::ResponseHead head(*request.arena);
    const auto text = request.arena->copy(std::to_string(total) + "!");
    if (!co_await http::sendPiece(sink, head, bytesOf(text)))
        co_return http::failClient(Error::peerClosed);
    co_return http::Handled{};
}

/// More than any socket holds.
Task<http::Handled> sendMuch(http::Request& request, http::ResponseSink& sink) {
    http::ResponseHead head(*request.arena);
    const std::string much(8'000'000, 'x');
    const auto sent = co_await http::sendPiece(sink, head, bytesOf(much));
    if (!sent) co_return http::failClient(sent.error());
    co_return http::Handled{};
}

} // namespace

TEST_CASE_METHOD(Fixture, "content that trickles in more slowly than may be is given up, although "
                          "no single wait is long") {
    settings.receiveRate = {.bytesPerSecond = 100'000, .grace = 30ms};
    answers.answer = countContent;
    serve();
    peer.send("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\n");
    const auto began = std::chrono::steady_clock::now();
    auto last = began;
    test::runUntil(loop, [&] {
        const auto now = std::chrono::steady_clock::now();
        if (now - last > 5ms) {
            last = now;
            peer.send("x");
        }
        return !records.lines.empty();
    });
    CHECK(records.lines.front() == "POST /a 408");
    CHECK(std::chrono::steady_clock::now() - began < 4s);
}

TEST_CASE_METHOD(Fixture, "time that the handler takes does not count against the client") {
    settings.receiveRate = {.bytesPerSecond = 1'000'000, .grace = 10ms};
    const auto slowly = [&](http::Request& request,
                            http::ResponseSink& sink) -> Task<http::Handled> {
        co_await io::Sleep(loop, 60ms);
        co_return co_await countContent(request, sink);
    };
    answers.answer = slowly;
    serve();
    peer.send("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhel");
    test::runUntil(loop, [&] { return answers.handled.size() == 1; });
    peer.send("lo");
    CHECK(peer.readUntil("!").ends_with("\r\n5!"));
}

TEST_CASE_METHOD(Fixture, "a client that takes its answer too slowly is cut off, although each "
                          "wait brings something") {
    settings.sendRate = {.bytesPerSecond = 100'000'000, .grace = 50ms};
    settings.sendTimeout = 5s;
    answers.answer = sendMuch;
    serve();
    peer.send(kGet);
    auto last = std::chrono::steady_clock::now();
    test::runUntil(loop, [&] {
        const auto now = std::chrono::steady_clock::now();
        if (now - last > 10ms) {
            last = now;
            peer.take(20'000);
        }
        return !records.lines.empty();
    });
    CHECK(records.lines.front() == "GET /a 200 cut left");
    CHECK(records.sent.front() > 100'000);
    CHECK(records.sent.front() < 8'000'000);
}

TEST_CASE_METHOD(Fixture, "a request may take no longer than the total timeout") {
    settings.totalTimeout = 40ms;
    coro::Event never;
    SECTION("waiting for the handler: 504") {
        const auto waits = [&](http::Request&, http::ResponseSink&) -> Task<http::Handled> {
            co_await never.wait();
            co_return http::Handled{};
        };
        answers.answer = waits;
        serve();
        peer.send(kGet);
        CHECK(peer.readUntil("</html>\n").starts_with("HTTP/1.1 504 "));
        CHECK_FALSE(ended()); // and the connection goes on
    }
    SECTION("waiting for the client's content: 408") {
        answers.answer = countContent;
        serve();
        peer.send("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhel");
        CHECK(peer.readToEnd().starts_with("HTTP/1.1 408 "));
    }
    SECTION("waiting for the head: 408") {
        serve();
        peer.send("GET /a HT");
        CHECK(peer.readToEnd().starts_with("HTTP/1.1 408 "));
    }
    SECTION("the response has begun: it is cut") {
        const auto halts = [&](http::Request& request,
                               http::ResponseSink& sink) -> Task<http::Handled> {
            const http::ResponseHead head(*request.arena);
            if (!co_await sink.begin(head)) co_return http::failClient(Error::peerClosed);
            if (!co_await http::writePiece(sink, bytesOf("some")))
                co_return http::failClient(Error::peerClosed);
            co_await never.wait();
            co_return http::Handled{};
        };
        answers.answer = halts;
        serve();
        peer.send(kGet);
        CHECK(peer.readToEnd().ends_with("4\r\nsome\r\n"));
        CHECK(records.lines == std::vector<std::string>{"GET /a 200 cut"});
    }
}

TEST_CASE_METHOD(Fixture, "changed settings hold from the next request of an open connection") {
    const auto renames = [&](http::Request& request,
                             http::ResponseSink& sink) -> Task<http::Handled> {
        auto changed = settings;
        changed.serverName = "Other";
        changed.maxBody = 3;
        context->settings = std::make_shared<const serve::Settings>(changed);
        return test::sayHello(request, sink);
    };
    answers.answer = renames;
    serve();
    peer.send(kGet);
    CHECK(peer.readUntil("hello").find("\r\nServer: Atoll\r\n") != std::string::npos);
    peer.send(kGet);
    CHECK(peer.readUntil("hello").find("\r\nServer: Other\r\n") != std::string::npos);
    peer.send("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\n");
    CHECK(peer.readUntil("\r\n").starts_with("HTTP/1.1 413 "));
}

TEST_CASE_METHOD(Fixture, "answers carry the request's id on demand, in place of the handler's") {
    std::vector<std::string> ids;
    const auto names = [&](http::Request& request,
                           http::ResponseSink& sink) -> Task<http::Handled> {
        ids.emplace_back(request.id);
        http::ResponseHead head(*request.arena);
        head.fields.add("X-Request-Id", "mine");
        if (!co_await http::sendPiece(sink, head, bytesOf("hello")))
            co_return http::failClient(Error::peerClosed);
        co_return http::Handled{};
    };
    answers.answer = names;
    SECTION("on") {
        settings.requestIdField = true;
        serve();
        peer.send(kGet);
        const auto answer = peer.readUntil("hello");
        CHECK(answer.find("\r\nX-Request-Id: " + ids.front() + "\r\n") != std::string::npos);
        CHECK(answer.find("mine") == std::string::npos);
        peer.send("GET / HTTP/1.1\r\n\r\n"); // a refusal has one too
        CHECK(peer.readToEnd().find("\r\nX-Request-Id: ") != std::string::npos);
    }
    SECTION("off") {
        serve();
        peer.send(kGet);
        CHECK(peer.readUntil("hello").find("\r\nX-Request-Id: mine\r\n") != std::string::npos);
    }
}

TEST_CASE_METHOD(Fixture, "what was received and sent is told to the log, by kind") {
    answers.answer = countContent;
    serve();
    const std::string head = "POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";
    const std::string content = "5\r\nhello\r\n0\r\n\r\n";
    peer.send(head + content);
    const auto answer = peer.readUntil("!");
    REQUIRE(records.sent.size() == 1);
    CHECK(records.sent.front() == answer.size());
    CHECK(records.content.front() == 2);
    CHECK(records.received.front() == head.size() + content.size());
    CHECK(records.heads.front() + "5!" == answer);
}

TEST_CASE_METHOD(Fixture, "a connection that waits for its client can be asked to make room") {
    serve();
    peer.send("GET /a HT");
    test::runUntil(loop, [&] { return open->endIfWaitingFor(1ms); });
    CHECK_FALSE(open->endIfWaitingFor(0ms)); // asked once
    CHECK(peer.readToEnd().empty());
    CHECK(ended());
}
