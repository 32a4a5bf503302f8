#include "compose/fakes.h"
#include "http/conditional_sink.h"

#include <catch2/catch.hpp>
#include <optional>
#include <utility>
#include <vector>

using namespace reef;
using Fields = std::vector<std::pair<const char*, const char*>>;

namespace {

/// A program's answer to a request with conditions, on its way to a client that notes what comes.
struct Fixture {
    void run(Task<Status> call) {
        std::optional<Status> outcome;
        turns.scope.start(note(std::move(call), outcome));
        turns.run();
        REQUIRE(outcome);
        REQUIRE(*outcome);
    }

    static Task<void> note(Task<Status> call, std::optional<Status>& outcome) {
        outcome = co_await std::move(call);
    }

    http::ResponseHead headOf(const Fields& fields, int status = 200) {
        http::ResponseHead head(request.arena, status);
        for (const auto& [name, value] : fields)
            head.fields.add(name, value);
        return head;
    }

    void ask(const Fields& fields) {
        for (const auto& [name, value] : fields)
            request.request.fields.add(name, value);
    }

    test::Turns turns;
    test::PageRequest request{"/cgi-bin/a"};
    test::RecordingSink client;
    http::ConditionalSink sink{request.request, client};
};

} // namespace

TEST_CASE_METHOD(Fixture, "an answer that the client has already is a 304 without content") {
    ask({{"If-None-Match", "\"a\", \"b\""}});
    auto head = headOf({{"Content-Type", "text/plain"}, {"ETag", "\"b\""}, {"Set-Cookie", "c"}});
    head.length = 5;
    run(sink.begin(head));
    run(http::writePiece(sink, bytesOf("hello")));
    run(sink.flush());
    run(sink.end());
    CHECK(client.status == 304);
    CHECK(client.content.empty());
    CHECK(client.fields ==
          std::vector<std::string>{"Content-Type: text/plain", "ETag: \"b\"", "Set-Cookie: c"});
}

TEST_CASE_METHOD(Fixture, "a date that has not passed is a 304 too, of a whole answer as well") {
    ask({{"If-Modified-Since", "Sun, 06 Nov 1994 08:49:37 GMT"}});
    const auto head = headOf({{"Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT"}});
    run(http::sendPiece(sink, head, bytesOf("hello")));
    CHECK(client.status == 304);
    CHECK(client.content.empty());
}

TEST_CASE_METHOD(Fixture, "another answer passes as it is") {
    ask({{"If-None-Match", "\"a\""}});
    const auto head = headOf({{"ETag", "\"b\""}});
    run(http::sendPiece(sink, head, bytesOf("hello")));
    CHECK(client.status == 200);
    CHECK(client.content == "hello");
}

TEST_CASE_METHOD(Fixture, "what cannot be told from another answer passes, whatever is asked") {
    ask({{"If-None-Match", "*"}});
    SECTION("it has no validator") {
        const auto head = headOf({{"Content-Type", "text/plain"}});
        run(http::sendPiece(sink, head, bytesOf("hello")));
        CHECK(client.status == 200);
    }
    SECTION("it is no 200") {
        const auto head = headOf({{"ETag", "\"a\""}}, 404);
        run(http::sendPiece(sink, head, bytesOf("hello")));
        CHECK(client.status == 404);
    }
    SECTION("it answers POST") {
        request.request.method = http::Method::post;
        const auto head = headOf({{"ETag", "\"a\""}});
        run(http::sendPiece(sink, head, bytesOf("hello")));
        CHECK(client.status == 200);
    }
    CHECK(client.content == "hello");
}

TEST_CASE_METHOD(Fixture, "an answer other than the client insists on is a 412") {
    ask({{"If-Match", "\"a\""}});
    const auto head = headOf({{"Content-Type", "text/plain"}, {"ETag", "\"b\""}});
    run(http::sendPiece(sink, head, bytesOf("hello")));
    CHECK(client.status == 412);
    CHECK(client.content.empty());
    CHECK(client.fields.empty());
}

TEST_CASE("a request has a condition, or has none") {
    test::PageRequest request("/");
    CHECK_FALSE(http::ConditionalSink::concerns(request.request));
    request.request.fields.add("if-none-match", "*");
    CHECK(http::ConditionalSink::concerns(request.request));
}
