#include "pageviews/captured_log.h"
#include "serve/connection.h"
#include "serve/served_connection.h"

#include <catch2/catch.hpp>

using namespace reef;
using pageviews::test::CapturedLog;

using test::kGet;
using test::sayHello;

namespace {
using Fixture = test::ServedConnection;
} // namespace

TEST_CASE_METHOD(Fixture, "requests are answered in turn, and each is told to the log once") {
    serve();
    peer.send(std::string(kGet) + std::string(kGet));
    peer.readUntil("hello");
    peer.readUntil("hello");
    peer.close();
    test::runUntil(loop, [&] { return ended(); });
    CHECK(records.lines == std::vector<std::string>{"GET /a 200", "GET /a 200"});
    CHECK(records.types.front() == "text/plain");
    CHECK(records.sent.front() > 5);
}

TEST_CASE_METHOD(Fixture, "an answer names the server and the time, and no more than once") {
    serve();
    peer.send(kGet);
    const auto head = peer.readUntil("\r\n\r\n");
    CHECK(head.find("\r\nServer: Atoll\r\n") != std::string::npos);
    CHECK(head.find("\r\nDate: ") == head.rfind("\r\nDate: "));
    CHECK(head.find("\r\nDate: ") != std::string::npos);
}

TEST_CASE_METHOD(Fixture, "a failure becomes an error page that keeps its reason to itself") {
    answers.answer = [](http::Request&, http::ResponseSink&) -> Task<http::Handled> {
        co_return std::unexpected(http::Failure(405, "SECRET path").with("Allow", "GET"));
    };
    serve();
    peer.send(kGet);
    const auto page = peer.readUntil("</html>\n");
    CHECK(page.starts_with("HTTP/1.1 405 "));
    CHECK(page.find("\r\nAllow: GET\r\n") != std::string::npos);
    CHECK(page.find("SECRET") == std::string::npos);
    CHECK(records.details == std::vector<std::string>{"SECRET path"});
    peer.send(kGet); // the connection goes on
    peer.readUntil("</html>\n");
}

TEST_CASE_METHOD(Fixture,
                 "an exception is a bug: 500, told to the log, and the connection goes on") {
    answers.answer = [](http::Request&, http::ResponseSink&) -> Task<http::Handled> {
        throw std::runtime_error("a bug");
        co_return http::Handled{};
    };
    serve();
    peer.send(kGet);
    CHECK(peer.readUntil("</html>\n").starts_with("HTTP/1.1 500 "));
    REQUIRE(records.details.size() == 1);
    CHECK(records.details.front().find("a bug") != std::string::npos);
}

TEST_CASE_METHOD(Fixture, "an answer that was not brought to its end is cut, not completed") {
    answers.answer = [](http::Request& request, http::ResponseSink& sink) -> Task<http::Handled> {
        http::ResponseHead head(*request.arena);
        if (!co_await sink.begin(head)) co_return http::failClient(Error::peerClosed);
        if (!co_await http::writePiece(sink, bytesOf("some")))
            co_return http::failClient(Error::peerClosed);
        co_return http::failWith(502, "it died");
    };
    serve();
    peer.send(kGet);
    const auto all = peer.readToEnd();
    CHECK(all.ends_with("4\r\nsome\r\n"));
    CHECK(records.lines == std::vector<std::string>{"GET /a 200 cut"});
    CHECK(records.details == std::vector<std::string>{"it died"});
}

TEST_CASE_METHOD(Fixture,
                 "a handler that forgets to answer is a 500 in spirit: nothing looks whole") {
    answers.answer = [](http::Request&, http::ResponseSink&) -> Task<http::Handled> {
        co_return http::Handled{};
    };
    serve();
    peer.send(kGet);
    CHECK(peer.readToEnd().find("200 OK") == std::string::npos);
    REQUIRE(records.details.size() == 1);
    CHECK_FALSE(records.details.front().empty());
}

TEST_CASE_METHOD(Fixture,
                 "a request that cannot be read is refused, told to the log, and the last") {
    serve();
    peer.send("GET /a HTTP/1.1\nHost: h\r\n\r\n" + std::string(kGet));
    const auto all = peer.readToEnd();
    CHECK(all.starts_with("HTTP/1.1 400 "));
    CHECK(all.find("\r\nConnection: close\r\n") != std::string::npos);
    CHECK(all.find("hello") == std::string::npos);
    CHECK(answers.handled.empty());
    REQUIRE(records.lines.size() == 1);
    CHECK(records.lines.front().ends_with(" 400"));
    CHECK_FALSE(records.details.front().empty());
}

TEST_CASE_METHOD(Fixture, "a path that cannot be decoded never reaches the handler") {
    const auto path = GENERATE(as<std::string>{}, "/%00", "/%zz", "/../x", "/%2e%2e/x");
    serve();
    peer.send("GET /a%2fb HTTP/1.1\r\nHost: h\r\n\r\n");
    CHECK(peer.readUntil("</html>\n").starts_with("HTTP/1.1 404 "));
    peer.send("GET " + path + " HTTP/1.1\r\nHost: h\r\n\r\n" + std::string(kGet));
    const auto refusal = peer.readToEnd(); // and the last
    CHECK(refusal.starts_with("HTTP/1.1 400 "));
    CHECK(refusal.find("\r\nConnection: close\r\n") != std::string::npos);
    CHECK(answers.handled.empty());
}

TEST_CASE_METHOD(Fixture,
                 "content that the handler left is skipped when it is short, else the last") {
    serve();
    peer.send("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 28\r\n\r\n" +
              std::string(kGet).substr(0, 28));
    peer.readUntil("hello");
    peer.send(kGet);
    peer.readUntil("hello");
    CHECK(answers.handled.size() == 2);
    peer.send("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\n");
    peer.readUntil("hello");
    peer.send(std::string(900'000, 'x') + std::string(kGet));
    CHECK(peer.readToEnd().empty());
    CHECK(answers.handled.size() == 3);
}

TEST_CASE_METHOD(Fixture, "content that is announced beyond the limit is refused unread") {
    settings.maxBody = 10;
    serve();
    peer.send("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 11\r\n\r\n");
    CHECK(peer.readToEnd().starts_with("HTTP/1.1 413 "));
    CHECK(answers.handled.empty());
}

TEST_CASE_METHOD(Fixture, "a head that comes too slowly, and a connection left idle, are closed") {
    SECTION("slow head") {
        settings.headTimeout = std::chrono::milliseconds(20);
        serve();
        peer.send("GET /a HT");
        CHECK(peer.readToEnd().starts_with("HTTP/1.1 408 "));
        peer.close(); // or it lingers
        test::runUntil(loop, [&] { return ended(); });
        CHECK(records.lines == std::vector<std::string>{"GET  408"});
    }
    SECTION("idle") {
        settings.idleTimeout = std::chrono::milliseconds(20);
        serve();
        peer.send(kGet);
        peer.readUntil("hello");
        CHECK(peer.readToEnd().empty());
    }
    CHECK(ended());
}

TEST_CASE_METHOD(Fixture, "a handler whose client has left is dropped, with all that it owns") {
    int dropped = 0;
    struct Owner {
        explicit Owner(int& n) : count(n) {}
        ~Owner() { ++count; }
        int& count;
    };
    coro::Event never;
    // Lives as long as the loop's tasks: its captures outlive every frame it makes.
    const auto waits = [&](http::Request&, http::ResponseSink&) -> Task<http::Handled> {
        const Owner owner(dropped);
        co_await never.wait();
        co_return http::Handled{};
    };
    answers.answer = waits;
    serve();
    peer.send(kGet);
    test::runUntil(loop, [&] { return answers.handled.size() == 1; });
    CHECK(dropped == 0);
    peer.close();
    test::runUntil(loop, [&] { return ended(); });
    CHECK(dropped == 1);
    CHECK(records.lines == std::vector<std::string>{"GET /a 499 cut left"});
}

TEST_CASE_METHOD(Fixture, "while draining, the request at work is finished and the last") {
    coro::Event go;
    const auto waits = [&](http::Request& request,
                           http::ResponseSink& sink) -> Task<http::Handled> {
        co_await go.wait();
        co_return co_await sayHello(request, sink);
    };
    answers.answer = waits;
    serve();
    peer.send(kGet);
    test::runUntil(loop, [&] { return answers.handled.size() == 1; });
    context->draining = true;
    open->endIfIdle(); // which it is not
    go.set();
    const auto answer = peer.readToEnd();
    CHECK(answer.ends_with("hello"));
    CHECK(answer.find("\r\nConnection: close\r\n") != std::string::npos);
    CHECK(ended());
}

TEST_CASE_METHOD(Fixture, "an idle connection ends when it is told to") {
    serve();
    peer.send(kGet);
    peer.readUntil("hello");
    loop.turn();
    open->endIfIdle();
    CHECK(peer.readToEnd().empty());
    CHECK(ended());
}

TEST_CASE_METHOD(Fixture, "a head larger than the first buffer is read whole") {
    serve();
    peer.send("GET /a HTTP/1.1\r\nHost: h\r\nCookie: " + std::string(25'000, 'c') + "\r\n\r\n");
    peer.readUntil("hello");
    peer.send(kGet);
    peer.readUntil("hello");
}

TEST_CASE_METHOD(Fixture, "a request that came before the draining is still answered") {
    serve();
    peer.send(kGet);
    peer.readUntil("hello");
    loop.turn();
    peer.send(kGet); // and nobody has looked yet
    context->draining = true;
    open->endIfIdle();
    const auto answer = peer.readToEnd();
    CHECK(answer.ends_with("hello"));
    CHECK(answer.find("\r\nConnection: close\r\n") != std::string::npos);
}

TEST_CASE_METHOD(Fixture, "bad chunks are refused, also by a handler that reads no content") {
    const auto content =
        GENERATE(as<std::string>{}, "zz\r\n", "5\nhello", "5 \r\nhello\r\n0\r\n\r\n",
                 "5\r\nhelloX\r\n", "0\r\nX : y\r\n\r\n");
    serve();
    peer.send("GET /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n" + content);
    const auto answer = peer.readToEnd();
    CHECK(answer.starts_with("HTTP/1.1 400 "));
    CHECK(answer.find("\r\nConnection: close\r\n") != std::string::npos);
    CHECK(answers.handled.empty());
}

TEST_CASE_METHOD(Fixture, "CONNECT is not for us, and nothing behind it is a request") {
    serve();
    peer.send("CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n" + std::string(kGet));
    CHECK(peer.readToEnd().starts_with("HTTP/1.1 501 "));
    CHECK(answers.handled.empty());
}
