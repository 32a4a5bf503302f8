#include "http/response_encoder.h"

#include <catch2/catch.hpp>
#include <optional>
#include <string>

using namespace reef;
using namespace reef::http;

namespace {

using namespace std::string_literals;

/// A head as it was encoded; checks on the way that both targets of the encoder agree.
struct Encoded {
    Encoded(const ResponseHead& head, const AnswerContext& context) {
        Arena arena;
        const auto encoded = encodeHead(head, context, arena);
        text = textOf(encoded.bytes);
        body = encoded.body;
        keepAlive = encoded.keepAlive;
        dropped = encoded.dropped;
        const auto bound = headSizeBound(head, context);
        CHECK(text.size() <= bound);
        std::string room(bound, '?');
        const auto inRoom = encodeHead(head, context, ByteRoom(room));
        REQUIRE(inRoom);
        CHECK(textOf(inRoom->bytes) == text);
        CHECK(encodeHead(head, context, ByteRoom(room).first(bound - 1)).error() ==
              Error::tooLarge);
    }
    bool has(const std::string& line) const { return text.contains("\r\n" + line + "\r\n"); }
    bool names(const std::string& name) const { return text.contains("\r\n" + name + ":"); }

    std::string text;
    BodyKind body;
    bool keepAlive;
    std::size_t dropped;
};

struct Answer {
    explicit Answer(int status) : head(arena, status) {}
    Answer& of(std::optional<ByteCount> length) {
        head.length = length;
        return *this;
    }
    Encoded to(Method method = Method::get, Version version = Version::http11,
               bool keepAlive = true) {
        AnswerContext context(method, version, keepAlive);
        context.date = "Sun, 06 Nov 1994 08:49:37 GMT";
        context.server = "Atoll";
        return Encoded(head, context);
    }
    Arena arena;
    ResponseHead head;
};

} // namespace

TEST_CASE("a handler's reason phrase stands in place of the registered one, when it is clean") {
    const auto lineOf = [](int status, std::string_view reason) {
        Answer answer(status);
        answer.head.reason = reason;
        const auto text = answer.of(0).to().text;
        return text.substr(0, text.find("\r\n"));
    };
    CHECK(lineOf(418, "Teapot") == "HTTP/1.1 418 Teapot");
    CHECK(lineOf(404, "Not Here") == "HTTP/1.1 404 Not Here");
    CHECK(lineOf(404, "") == "HTTP/1.1 404 Not Found");
    CHECK(lineOf(404, "x\r\nSet-Cookie: a=b") == "HTTP/1.1 404 Not Found");
    CHECK(lineOf(99, "Odd") == "HTTP/1.1 500 Internal Server Error");
}

TEST_CASE("a head is status line, fields, date, server and framing") {
    Answer answer(200);
    answer.of(1234).head.fields.add("Content-Type", "text/html");
    const auto encoded = answer.to();
    CHECK(encoded.text == "HTTP/1.1 200 OK\r\n"
                          "Content-Type: text/html\r\n"
                          "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
                          "Server: Atoll\r\n"
                          "Content-Length: 1234\r\n\r\n");
    CHECK(encoded.body == BodyKind::length);
    CHECK(encoded.keepAlive);
    CHECK(encoded.dropped == 0);
}

TEST_CASE("framing follows length, method, status and version") {
    struct Case {
        int status;
        Method method;
        Version version;
        std::optional<ByteCount> length;
        BodyKind body;
        const char* line; ///< "" for neither length nor coding
        bool keepAlive;
    };
    using enum Version;
    const Case cases[] = {
        {200, Method::get, http11, 5, BodyKind::length, "Content-Length: 5", true},
        {200, Method::get, http11, 0, BodyKind::none, "Content-Length: 0", true},
        {200, Method::get, http11, std::nullopt, BodyKind::chunked, "Transfer-Encoding: chunked",
         true},
        {200, Method::get, http10, 5, BodyKind::length, "Content-Length: 5", true},
        {200, Method::get, http10, std::nullopt, BodyKind::untilClose, "", false},
        {200, Method::head, http11, 5, BodyKind::none, "Content-Length: 5", true},
        {200, Method::head, http11, std::nullopt, BodyKind::none, "", true},
        {200, Method::head, http10, std::nullopt, BodyKind::none, "", true},
        {204, Method::get, http11, std::nullopt, BodyKind::none, "", true},
        {204, Method::get, http11, 5, BodyKind::none, "", true},
        {205, Method::post, http11, 5, BodyKind::none, "Content-Length: 0", true},
        {304, Method::get, http11, 5, BodyKind::none, "", true},
        {304, Method::get, http10, std::nullopt, BodyKind::none, "", true},
        {404, Method::post, http11, ~ByteCount{0}, BodyKind::length,
         "Content-Length: 18446744073709551615", true},
    };
    for (const Case& c : cases) {
        INFO(c.status << " " << nameOf(c.method) << " 1." << int(c.version) << " " << c.line);
        const auto encoded = Answer(c.status).of(c.length).to(c.method, c.version);
        CHECK(encoded.body == c.body);
        CHECK(encoded.keepAlive == c.keepAlive);
        CHECK(encoded.names("Content-Length") == std::string_view(c.line).starts_with("Content"));
        CHECK(encoded.names("Transfer-Encoding") ==
              std::string_view(c.line).starts_with("Transfer"));
        if (*c.line != 0) CHECK(encoded.has(c.line));
    }
}

TEST_CASE("the connection's fate is said where it is not the default") {
    CHECK_FALSE(Answer(200).of(1).to().names("Connection"));
    CHECK(Answer(200).of(1).to(Method::get, Version::http11, false).has("Connection: close"));
    CHECK(Answer(200).of(1).to(Method::get, Version::http10, true).has("Connection: keep-alive"));
    CHECK(Answer(200).of(1).to(Method::get, Version::http10, false).has("Connection: close"));
    CHECK(Answer(200).to(Method::get, Version::http10, true).has("Connection: close"));
}

TEST_CASE("a response cannot be split by what a handler puts into a field") {
    Answer answer(200);
    auto& fields = answer.head.fields;
    const std::string nul = "a\0b"s;
    fields.add("X-Good", "a\tb \xc3\xa9");
    fields.add("X-Bad", "a\r\nSet-Cookie: evil=1");
    fields.add("X-Bad", "a\nb");
    fields.add("X-Bad", "a\rb");
    fields.add("X-Bad", nul);
    fields.add("X-Bad", "\x7f");
    fields.add("X-Bad", "a long value with a control byte late in it \x1b");
    fields.add("X-Bad\r\nX-Worse", "a");
    fields.add("X-Bad: x", "a");
    fields.add("", "a");
    fields.add("X Bad", "a");
    const auto encoded = answer.of(0).to();
    CHECK(encoded.dropped == 10);
    CHECK(encoded.has("X-Good: a\tb \xc3\xa9"));
    CHECK_FALSE(encoded.text.contains("Bad"));
    CHECK_FALSE(encoded.text.contains("evil"));
}

TEST_CASE("framing and hop-by-hop fields are the sink's own") {
    Answer answer(200);
    for (const char* name : {"Content-Length", "TRANSFER-ENCODING", "connection", "Keep-Alive",
                             "Proxy-Connection", "TE", "Trailer", "Upgrade"}) {
        answer.head.fields.add(name, "7");
    }
    const auto encoded = answer.of(3).to();
    CHECK(encoded.text == "HTTP/1.1 200 OK\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nServer: "
                          "Atoll\r\nContent-Length: 3\r\n\r\n");
    CHECK(encoded.dropped == 0);
}

TEST_CASE("a back end's Date and Server stand instead of ours") {
    Answer answer(200);
    answer.head.fields.add("date", "Mon, 07 Nov 1994 08:49:37 GMT");
    answer.head.fields.add("SERVER", "Backend");
    const auto encoded = answer.of(0).to();
    CHECK(encoded.has("date: Mon, 07 Nov 1994 08:49:37 GMT"));
    CHECK(encoded.has("SERVER: Backend"));
    CHECK_FALSE(encoded.names("Date"));
    CHECK_FALSE(encoded.names("Server"));
}

TEST_CASE("an interim response has its fields and nothing of ours about framing") {
    Answer answer(103);
    answer.head.fields.add("Link", "</a.css>; rel=preload");
    const auto encoded = answer.of(5).to(Method::get, Version::http11, false);
    CHECK(encoded.text.starts_with("HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n"));
    CHECK_FALSE(encoded.names("Content-Length"));
    CHECK_FALSE(encoded.names("Connection"));
    CHECK(encoded.body == BodyKind::none);
}

TEST_CASE("a status without a name is sent without one, and what is none becomes 500") {
    CHECK(Answer(299).of(0).to().text.starts_with("HTTP/1.1 299 \r\n"));
    CHECK(Answer(999).of(0).to().text.starts_with("HTTP/1.1 999 \r\n"));
    for (const int status : {0, -200, 99, 1000, 20000}) {
        CHECK(Answer(status).of(0).to().text.starts_with("HTTP/1.1 500 Internal Server Error\r\n"));
    }
}

TEST_CASE("Date and Server can be left out") {
    Arena arena;
    const ResponseHead head(arena, 204);
    CHECK(Encoded(head, AnswerContext(Method::get, Version::http11, true)).text ==
          "HTTP/1.1 204 No Content\r\n\r\n");
}

TEST_CASE("a sink that knows the length better says so") {
    Arena arena;
    ResponseHead head(arena, 200);
    head.length = 7;
    const AnswerContext context(Method::get, Version::http11, true);
    CHECK(textOf(encodeHead(head, ByteCount{9}, context, arena).bytes) ==
          "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n");
    CHECK(encodeHead(head, std::nullopt, context, arena).body == BodyKind::chunked);
}
