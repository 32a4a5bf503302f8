#include "base/fd.h"
#include "compose/fakes.h"
#include "http/compressing_sink.h"
#include "http/decoding.h"
#include "scratch.h"

#include <fcntl.h>

using namespace reef;
using Fields = std::vector<std::pair<std::string, std::string>>;

namespace {

std::string page(std::size_t bytes) {
    std::string text;
    for (int i = 0; text.size() < bytes; ++i)
        text += "<p>paragraph " + std::to_string(i) + "</p>\n";
    text.resize(bytes);
    return text;
}

/// An answer on its way through a compressing sink to a client that notes what comes.
struct Fixture {
    Fixture() { accept("gzip"); }

    void accept(const char* codings) { request.request.fields.set("Accept-Encoding", codings); }

    http::ResponseHead headOf(const Fields& fields, int status = 200) {
        http::ResponseHead head(request.arena, status);
        for (const auto& [name, value] : fields)
            head.fields.add(request.arena.copy(name), request.arena.copy(value));
        return head;
    }

    /// Runs a call to its end, or until it waits.
    void run(Task<Status> call) {
        outcome.reset();
        turns.scope.start(note(std::move(call), outcome));
        turns.run();
    }

    void send(const Fields& fields, const std::string& text, int status = 200) {
        const auto head = headOf(fields, status);
        run(http::sendPiece(sink, head, bytesOf(text)));
        REQUIRE(outcome);
        REQUIRE(*outcome);
    }

    static Task<void> note(Task<Status> call, std::optional<Status>& outcome) {
        outcome = co_await std::move(call);
    }

    std::string field(const std::string& name) const {
        for (const std::string& line : client.fields) {
            if (line.starts_with(name + ": ")) return line.substr(name.size() + 2);
        }
        return {};
    }

    test::Turns turns;
    test::PageRequest request{"/page"};
    test::RecordingSink client;
    http::CompressorPool pool{4};
    http::CompressingSink sink{request.request, client, pool};
    std::optional<Status> outcome;
};

const Fields kHtml{{"Content-Type", "text/html; charset=utf-8"}};

Fields with(Fields fields, std::initializer_list<std::pair<std::string, std::string>> more) {
    fields.insert(fields.end(), more);
    return fields;
}

} // namespace

TEST_CASE_METHOD(Fixture, "a whole page is compressed and sent as one") {
    const auto text = page(20'000);
    send(with(kHtml, {{"ETag", "\"v1\""}, {"Accept-Ranges", "bytes"}, {"X-Own", "1"}}), text);
    CHECK(client.calls == std::vector<std::string>{"send"});
    CHECK(field("Content-Encoding") == "gzip");
    CHECK(field("Vary") == "Accept-Encoding");
    CHECK(field("ETag") == "W/\"v1\"");
    CHECK(field("Accept-Ranges").empty());
    CHECK(field("X-Own") == "1");
    CHECK_FALSE(client.length);
    bool complete = false;
    CHECK(test::gunzip(client.content, &complete) == text);
    CHECK(complete);
}

TEST_CASE_METHOD(Fixture, "the client's coding is used, and zstd before gzip") {
    accept("gzip, deflate, br, zstd");
    const auto text = page(5000);
    send(kHtml, text);
    CHECK(field("Content-Encoding") == "zstd");
    CHECK(test::unzstd(client.content) == text);
}

TEST_CASE_METHOD(Fixture, "what may not or need not be compressed passes as it is") {
    const auto text = page(2000);
    struct Case {
        Fields fields;
        int status;
        const char* vary;
    };
    const Case cases[] = {
        {{{"Content-Type", "image/png"}}, 200, ""},
        {{}, 200, ""},
        {with(kHtml, {{"Content-Encoding", "br"}}), 200, ""},
        {with(kHtml, {{"Content-Range", "bytes 0-1999/5000"}}), 206, ""},
        {with(kHtml, {{"Cache-Control", "public, no-transform"}}), 200, ""},
        {with(kHtml, {{"Repr-Digest", "sha-256=:AAAA:"}}), 200, ""},
        {kHtml, 404, ""},
    };
    for (const Case& c : cases) {
        const auto head = headOf(with(c.fields, {{"ETag", "\"v1\""}}), c.status);
        test::RecordingSink plain;
        http::CompressingSink other(request.request, plain, pool);
        run(http::sendPiece(other, head, bytesOf(text)));
        INFO(c.status << ' ' << (c.fields.empty() ? "" : c.fields.back().first));
        CHECK(plain.content == text);
        CHECK(plain.fields.size() == c.fields.size() + 1);
        CHECK(plain.fields.back() == "ETag: \"v1\"");
    }
}

TEST_CASE_METHOD(Fixture,
                 "content that is short, or not wanted compressed, still says that it varies") {
    SECTION("short") {
        send(with(kHtml, {{"ETag", "\"v1\""}}), page(http::CompressingSink::kLeastBytes - 1));
    }
    SECTION("not wanted") {
        accept("identity");
        send(with(kHtml, {{"ETag", "\"v1\""}}), page(5000));
    }
    CHECK(field("Content-Encoding").empty());
    CHECK(field("ETag") == "\"v1\"");
    CHECK(field("Vary") == "Accept-Encoding");
    CHECK(client.content.starts_with("<p>paragraph 0"));
}

TEST_CASE_METHOD(Fixture, "Vary is merged with what is there") {
    SECTION("something else") {
        send(with(kHtml, {{"Vary", "Cookie"}}), page(2000));
        CHECK(field("Vary") == "Cookie, Accept-Encoding");
    }
    SECTION("the same") {
        send(with(kHtml, {{"Vary", "Origin, accept-encoding"}}), page(2000));
        CHECK(field("Vary") == "Origin, accept-encoding");
    }
    SECTION("everything") {
        send(with(kHtml, {{"Vary", "*"}}), page(2000));
        CHECK(field("Vary") == "*");
    }
}

TEST_CASE_METHOD(Fixture, "HEAD has the head of GET, and takes no compressor") {
    request.request.method = http::Method::head;
    auto head = headOf(with(kHtml, {{"ETag", "\"v1\""}, {"Accept-Ranges", "bytes"}}));
    head.length = 5000;
    SECTION("announced") {
        run(sink.begin(head));
        run(http::writePiece(sink, bytesOf(page(5000))));
        run(sink.end());
        CHECK(client.calls == std::vector<std::string>{"begin", "end"});
    }
    SECTION("sent with the content of GET") {
        run(http::sendPiece(sink, head, bytesOf(page(5000))));
        CHECK(client.calls == std::vector<std::string>{"begin", "end"});
    }
    SECTION("sent without content") {
        head.length.reset();
        run(sink.send(head, {}));
    }
    CHECK(field("Content-Encoding") == "gzip");
    CHECK(field("ETag") == "W/\"v1\"");
    CHECK(field("Accept-Ranges").empty());
    CHECK_FALSE(client.length);
    CHECK(client.content.empty());
}

TEST_CASE_METHOD(Fixture, "a 304 names the tag that the compressed answer had") {
    const auto head = headOf({{"ETag", "\"v1\""}}, 304);
    run(sink.send(head, {}));
    CHECK(client.status == 304);
    CHECK(field("ETag") == "W/\"v1\"");
    CHECK(field("Vary") == "Accept-Encoding");
    CHECK(field("Content-Encoding").empty());
}

TEST_CASE_METHOD(Fixture, "what a write brought can be read when it ends") {
    const auto head = headOf({{"Content-Type", "text/event-stream"}});
    run(sink.begin(head));
    std::string fed;
    for (int i = 0; i != 5; ++i) {
        const std::string event = "data: " + std::to_string(i) + "\n\n";
        fed += event;
        run(http::writePiece(sink, bytesOf(event)));
        CHECK(client.writes.size() == static_cast<std::size_t>(i) + 1);
        CHECK(test::gunzip(client.content) == fed);
    }
    run(sink.end());
    bool complete = false;
    CHECK(test::gunzip(client.content, &complete) == fed);
    CHECK(complete);
    CHECK(client.calls.back() == "end");
}

TEST_CASE_METHOD(Fixture, "streams of events leave half of the compressors to others") {
    std::vector<http::CompressorPool::Lease> busy;
    for (int i = 0; i != 2; ++i)
        busy.push_back(pool.take(http::ContentCoding::gzip));
    SECTION("an event stream goes as it is") {
        run(sink.begin(headOf({{"Content-Type", "text/event-stream"}})));
        CHECK(field("Content-Encoding").empty());
    }
    SECTION("a page is compressed") {
        run(sink.begin(headOf(kHtml)));
        CHECK(field("Content-Encoding") == "gzip");
    }
}

TEST_CASE_METHOD(Fixture, "a flush reaches the client, and an empty write brings nothing") {
    const auto head = headOf(kHtml);
    run(sink.begin(head));
    run(sink.flush());
    run(http::writePiece(sink, {}));
    CHECK(client.calls == std::vector<std::string>{"begin", "flush"});
    run(sink.end());
    CHECK(test::gunzip(client.content).empty());
}

TEST_CASE_METHOD(Fixture,
                 "large content goes out in pieces, and others have their turn between them") {
    const auto text = page(3'000'000);
    const auto head = headOf(kHtml);
    outcome.reset();
    turns.scope.start(note(http::sendPiece(sink, head, bytesOf(text)), outcome));
    CHECK_FALSE(outcome); // it has yielded
    turns.run();
    REQUIRE(outcome);
    CHECK(client.calls.front() == "begin");
    CHECK(client.writes.size() > 2);
    for (const std::string& piece : client.writes)
        CHECK(piece.size() < 200'000);
    bool complete = false;
    CHECK(test::gunzip(client.content, &complete) == text);
    CHECK(complete);
}

TEST_CASE_METHOD(Fixture, "files are compressed as they are read, small ones whole") {
    test::Scratch scratch;
    for (const std::size_t size : {std::size_t{100'000}, std::size_t{1'000'000}}) {
        const auto text = page(size);
        test::writeContent(scratch.path() / "page.html", text);
        const Fd file(::open((scratch.path() / "page.html").c_str(), O_RDONLY | O_CLOEXEC));
        test::RecordingSink reader;
        http::CompressingSink other(request.request, reader, pool);
        const auto head = headOf(kHtml);
        run(other.sendFile(head, file.get(), 10, size - 10));
        REQUIRE(outcome);
        CHECK(reader.calls.front() == (size == 100'000 ? "send" : "begin"));
        bool complete = false;
        CHECK(test::gunzip(reader.content, &complete) == text.substr(10));
        CHECK(complete);
    }
}

TEST_CASE_METHOD(Fixture, "a file that has become shorter fails, and is not completed") {
    test::Scratch scratch;
    test::writeContent(scratch.path() / "page.html", page(5000));
    const Fd file(::open((scratch.path() / "page.html").c_str(), O_RDONLY | O_CLOEXEC));
    const auto head = headOf(kHtml);
    run(sink.sendFile(head, file.get(), 0, 6000));
    REQUIRE(outcome);
    CHECK_FALSE(*outcome);
    CHECK_FALSE(client.ended);
}

TEST_CASE_METHOD(Fixture, "without a free compressor the answer goes as it is") {
    http::CompressorPool none(0);
    http::CompressingSink other(request.request, client, none);
    const auto text = page(5000);
    const auto head = headOf(with(kHtml, {{"ETag", "\"v1\""}}));
    run(http::sendPiece(other, head, bytesOf(text)));
    CHECK(client.content == text);
    CHECK(field("ETag") == "\"v1\"");
    CHECK(field("Vary") == "Accept-Encoding");
}

TEST_CASE_METHOD(Fixture,
                 "a client that has gone ends the answer, and the compressor is free again") {
    client.failAt = 2;
    const auto text = page(3'000'000);
    {
        http::CompressingSink other(request.request, client, pool);
        const auto head = headOf(kHtml);
        run(http::sendPiece(other, head, bytesOf(text)));
        REQUIRE(outcome);
        CHECK(outcome->error() == Error::peerClosed);
        CHECK(client.calls.size() == 2);
    }
    std::vector<http::CompressorPool::Lease> all;
    for (int i = 0; i != 4; ++i)
        all.push_back(pool.take(http::ContentCoding::gzip));
    CHECK(all.back());
}
