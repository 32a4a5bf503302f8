#include "scratch.h"
#include "serve/client_sink.h"
#include "serve/peer.h"

#include <fcntl.h>

#include <catch2/catch.hpp>

using namespace reef;

namespace {

struct Fixture {
    Fixture() : peer(loop, std::move(pair.one)), stream(loop, std::move(pair.two)) {}
    ~Fixture() { loop.tasks().dropAll(); }

    serve::ClientSink& open(http::Method method = http::Method::get,
                            http::Version version = http::Version::http11) {
        sink.emplace(stream, settings, http::AnswerContext(method, version, true), arena);
        return *sink;
    }

    /// Runs a call of the sink to its end.
    Status did(Task<Status> call) {
        std::optional<Status> outcome;
        loop.tasks().start(run(std::move(call), outcome));
        test::runUntil(loop, [&] { return outcome.has_value(); });
        return *outcome;
    }

    http::ResponseHead head(int status = 200) {
        http::ResponseHead made(arena, status);
        made.fields.add("Content-Type", "text/plain");
        return made;
    }

    Status write(std::string_view text) { return did(http::writePiece(*sink, bytesOf(text))); }

    std::string received() {
        stream.endWriting();
        return peer.readToEnd();
    }

    static Task<void> run(Task<Status> call, std::optional<Status>& outcome) {
        outcome = co_await std::move(call);
    }

    io::Loop loop;
    test::SocketPair pair;
    test::Peer peer;
    io::SocketStream stream;
    serve::Settings settings;
    Arena arena;
    std::optional<serve::ClientSink> sink;
};

} // namespace

TEST_CASE_METHOD(Fixture, "a whole answer has its length") {
    auto& out = open();
    const ByteView pieces[] = {bytesOf("hel"), bytesOf(""), bytesOf("lo")};
    REQUIRE(did(out.send(head(), pieces)));
    CHECK(out.complete());
    CHECK(out.reusable());
    CHECK(out.status() == 200);
    CHECK(out.contentType() == "text/plain");
    const auto bytes = received();
    CHECK(bytes == "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello");
    CHECK(out.sent() == bytes.size());
}

TEST_CASE_METHOD(Fixture, "an answer of unknown length goes out in chunks") {
    auto& out = open();
    REQUIRE(did(out.begin(head())));
    REQUIRE(write("hello"));
    REQUIRE(write("")); // an empty chunk would be the end
    REQUIRE(write(std::string(16, 'x')));
    CHECK_FALSE(out.complete());
    REQUIRE(did(out.end()));
    CHECK(out.complete());
    CHECK(received() == "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
                        "Transfer-Encoding: chunked\r\n\r\n"
                        "5\r\nhello\r\n10\r\nxxxxxxxxxxxxxxxx\r\n0\r\n\r\n");
}

TEST_CASE_METHOD(Fixture, "a 1.0 client reads until the end of the connection") {
    auto& out = open(http::Method::get, http::Version::http10);
    REQUIRE(did(out.begin(head())));
    REQUIRE(write("hello"));
    REQUIRE(did(out.end()));
    CHECK(out.complete());
    CHECK_FALSE(out.reusable());
    CHECK_FALSE(out.cutIsVisible());
    const auto bytes = received();
    CHECK(bytes.find("Connection: close\r\n") != std::string::npos);
    CHECK(bytes.find("Transfer-Encoding") == std::string::npos);
    CHECK(bytes.ends_with("\r\n\r\nhello"));
}

TEST_CASE_METHOD(Fixture, "a head is flushed before there is content") {
    auto& out = open();
    REQUIRE(did(out.begin(head())));
    REQUIRE(did(out.flush()));
    REQUIRE(did(out.flush())); // and only once
    CHECK(peer.readUntil("\r\n\r\n").starts_with("HTTP/1.1 200 OK\r\n"));
    REQUIRE(write("x"));
    REQUIRE(did(out.end()));
    CHECK(received() == "1\r\nx\r\n0\r\n\r\n");
}

TEST_CASE_METHOD(Fixture, "HEAD, 204 and 304 carry no content, whatever is written") {
    struct Case {
        http::Method method;
        int status;
    };
    for (const Case c : {Case{http::Method::head, 200}, Case{http::Method::get, 204},
                         Case{http::Method::get, 304}}) {
        auto& out = open(c.method);
        REQUIRE(did(out.begin(head(c.status))));
        REQUIRE(write("content"));
        REQUIRE(did(out.end()));
        CHECK(out.complete());
        CHECK(out.reusable());
    }
    CHECK(received().find("content") == std::string::npos);
}

TEST_CASE_METHOD(Fixture, "a 304 tells the log its type, and not the client") {
    auto& out = open();
    REQUIRE(did(out.send(head(304), {})));
    CHECK(out.contentType() == "text/plain");
    CHECK(received().find("Content-Type") == std::string::npos);
}

TEST_CASE_METHOD(Fixture, "more or less than was promised is a failure, never mixed up") {
    auto promised = head();
    promised.length = 5;
    auto& more = open();
    REQUIRE(did(more.begin(promised)));
    REQUIRE(write("hello"));
    CHECK(write("x").error() == Error::malformed);
    CHECK_FALSE(more.complete());

    auto& less = open();
    REQUIRE(did(less.begin(promised)));
    REQUIRE(write("hell"));
    CHECK(did(less.end()).error() == Error::malformed);
    CHECK_FALSE(less.complete());
    CHECK_FALSE(less.reusable());
}

TEST_CASE_METHOD(Fixture, "a part of a file goes out as it lies there") {
    test::Scratch scratch;
    std::string content;
    for (int i = 0; i < 100'000; ++i)
        content += std::to_string(i);
    test::writeContent(scratch.path() / "file", content);
    const Fd file(::open((scratch.path() / "file").c_str(), O_RDONLY | O_CLOEXEC));
    auto& out = open();
    std::optional<Status> outcome;
    const auto sent = head();
    loop.tasks().start(run(out.sendFile(sent, file.get(), 10, content.size() - 20), outcome));
    peer.readUntil("\r\n\r\n");
    const auto last = content.substr(content.size() - 20, 10);
    std::string got;
    test::runUntil(loop,
                   [&] { return outcome.has_value() || !(got += peer.readUntil("9")).empty(); });
    while (!outcome)
        got += peer.readUntil("9");
    stream.endWriting();
    got += peer.readToEnd();
    CHECK((got == content.substr(10, content.size() - 20)));
    CHECK(outcome->has_value());
    CHECK(out.complete());
}

TEST_CASE_METHOD(Fixture, "many pieces take several calls, and arrive in order") {
    auto& out = open();
    std::vector<std::string> texts;
    std::vector<ByteView> pieces;
    std::string all;
    for (int i = 0; i < 100; ++i) {
        texts.push_back(std::to_string(i) + ",");
        all += texts.back();
    }
    for (const std::string& text : texts)
        pieces.push_back(bytesOf(text));
    REQUIRE(did(out.send(head(), pieces)));
    CHECK(received().ends_with("\r\n\r\n" + all));
}

TEST_CASE_METHOD(Fixture, "a client that takes nothing more is a failure after the time set") {
    settings.sendTimeout = std::chrono::milliseconds(20);
    auto& out = open();
    REQUIRE(did(out.begin(head())));
    const auto outcome = write(std::string(10'000'000, 'x'));
    REQUIRE_FALSE(outcome);
    CHECK(outcome.error() == Error::timedOut);
    CHECK_FALSE(out.complete());
}
