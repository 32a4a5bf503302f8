#include "compose/fakes.h"
#include "http/coded.h"
#include "http/decoding_sink.h"

#include <catch2/catch.hpp>

using namespace reef;
using Of = http::DecodingSink::Of;
using Fields = std::vector<std::pair<std::string, std::string>>;
using Calls = std::vector<std::string>;

namespace {

/// An answer on its way through a decoding sink to one that notes what comes.
struct Passage {
    explicit Passage(Of concerns) : sink(request.request, next, concerns) {}

    http::ResponseHead headOf(const Fields& fields, int status = 200) {
        http::ResponseHead head(request.arena, status);
        for (const auto& [name, value] : fields)
            head.fields.add(request.arena.copy(name), request.arena.copy(value));
        return head;
    }

    /// Runs a call to its end.
    Status run(Task<Status> call) {
        std::optional<Status> outcome;
        turns.scope.start(note(std::move(call), outcome));
        turns.run();
        REQUIRE(outcome);
        return *outcome;
    }

    Status send(const Fields& fields, const std::string& text, int status = 200) {
        const auto head = headOf(fields, status);
        return run(http::sendPiece(sink, head, bytesOf(text)));
    }
    Status begin(const Fields& fields, int status = 200) {
        const auto head = headOf(fields, status);
        return run(sink.begin(head));
    }
    Status write(std::string_view text) { return run(http::writePiece(sink, bytesOf(text))); }

    bool has(const std::string& line) const {
        return std::ranges::find(next.fields, line) != next.fields.end();
    }
    bool hasField(const std::string& name) const {
        return std::ranges::any_of(
            next.fields, [&](const std::string& line) { return line.starts_with(name + ":"); });
    }

    static Task<void> note(Task<Status> call, std::optional<Status>& outcome) {
        outcome = co_await std::move(call);
    }

    test::Turns turns;
    test::PageRequest request{"/page"};
    test::RecordingSink next;
    http::DecodingSink sink;
};

Fields html(const std::string& coding) {
    return {{"Content-Type", "text/html"}, {"Content-Encoding", coding}, {"X-Own", "1"}};
}

} // namespace

TEST_CASE("a whole answer is decoded and sent as one, and its head speaks of the content") {
    Passage passage(Of::pages);
    auto fields = html("gzip");
    fields.insert(fields.end(), {{"Accept-Ranges", "bytes"}, {"Content-MD5", "x"}});
    REQUIRE(passage.send(fields, test::gzip("<p>page</p>")));
    CHECK(passage.next.calls == Calls{"send"});
    CHECK(passage.next.content == "<p>page</p>");
    CHECK(passage.has("Content-Type: text/html"));
    CHECK(passage.has("X-Own: 1"));
    for (const char* name : {"Content-Encoding", "Accept-Ranges", "Content-MD5"})
        CHECK_FALSE(passage.hasField(name));
    CHECK(passage.sink.fault().empty());
    CHECK(passage.sink.remark().empty());
}

TEST_CASE("a stream is decoded write by write") {
    Passage passage(Of::any);
    REQUIRE(passage.begin({{"Content-Encoding", " identity ,GZIP"}}));
    const auto first = test::flushedGzip("first,");
    REQUIRE(passage.write(first.substr(0, 5)));
    REQUIRE(passage.write(first.substr(5)));
    CHECK(passage.next.content == "first,");
    CHECK_FALSE(passage.run(passage.sink.end()));
    CHECK(passage.sink.fault() == "its content (GZIP) is cut short");
    CHECK_FALSE(passage.next.ended);
}

TEST_CASE("what is too large for one piece leaves piece by piece, and is whole") {
    Passage passage(Of::any);
    const std::string content(3'000'000, 'x');
    REQUIRE(passage.send({{"Content-Encoding", "zstd"}}, test::zstd(content)));
    CHECK((passage.next.content == content));
    CHECK(passage.next.calls.front() == "begin");
    CHECK(passage.next.calls.back() == "end");
    for (const std::string& piece : passage.next.writes)
        CHECK(piece.size() <= http::DecodingSink::kWholeBytes + http::DecodingSink::kPieceBytes);
}

TEST_CASE("what does not concern it passes as it is") {
    struct Case {
        Of concerns;
        Fields fields;
        int status;
    };
    const Case cases[] = {
        {Of::any, {{"Content-Type", "text/html"}}, 200},
        {Of::any, {{"Content-Encoding", "identity"}}, 200},
        {Of::any, {{"Content-Encoding", ""}}, 200},
        {Of::pages, {{"Content-Type", "text/css"}, {"Content-Encoding", "gzip"}}, 200},
        {Of::pages, {{"Content-Encoding", "gzip"}}, 200},
        {Of::pages, html("gzip"), 206},
        {Of::pages, html("gzip"), 304},
        {Of::any, {{"Content-Encoding", "gzip"}}, 204},
    };
    for (const auto& [concerns, fields, status] : cases) {
        CAPTURE(status, fields.size());
        Passage passage(concerns);
        REQUIRE(passage.send(fields, "\x1f\x8b not looked at", status));
        CHECK(passage.next.calls == Calls{"send"});
        CHECK(passage.next.content == "\x1f\x8b not looked at");
        CHECK(passage.next.fields.size() == fields.size());
        CHECK(passage.sink.fault().empty());
    }
}

TEST_CASE("a coding that is not known passes with a page, and fails a part of one") {
    for (const char* coding : {"br", "compress", "gzip, br", "gzip,gzip"}) {
        CAPTURE(coding);
        Passage page(Of::pages);
        REQUIRE(page.send(html(coding), "coded"));
        CHECK(page.next.content == "coded");
        CHECK(page.hasField("Content-Encoding"));
        CHECK(page.sink.remark().find("cannot be decoded here") != std::string::npos);
        Passage part(Of::any);
        CHECK_FALSE(part.send(html(coding), "coded"));
        CHECK(part.next.calls.empty());
        CHECK(part.sink.fault().find("only gzip, deflate or zstd alone can") != std::string::npos);
    }
    Passage part(Of::any);
    CHECK_FALSE(part.begin(html("gzip"), 206));
    CHECK(part.sink.fault() == "its content (gzip) is a part, and cannot be decoded");
}

TEST_CASE("content that is corrupt or cut short is never said to be complete") {
    const auto coded = test::gzip("a page that is long enough to be cut");
    for (const std::string& bad : {coded.substr(0, coded.size() - 1), coded.substr(0, 12),
                                   std::string("plain"), coded.substr(0, 12) + coded}) {
        Passage whole(Of::any);
        CHECK_FALSE(whole.send(html("gzip"), bad));
        CHECK_FALSE(whole.sink.fault().empty());
        CHECK_FALSE(whole.next.ended);
        CHECK(whole.next.calls.empty());
        Passage stream(Of::any);
        REQUIRE(stream.begin(html("gzip")));
        if (stream.write(bad)) CHECK_FALSE(stream.run(stream.sink.end()));
        CHECK_FALSE(stream.sink.fault().empty());
        CHECK_FALSE(stream.next.ended);
    }
}

TEST_CASE("what stands behind the end is left out, and remarked") {
    Passage passage(Of::any);
    REQUIRE(passage.send(html("gzip"), test::gzip("page") + "\n"));
    CHECK(passage.next.content == "page");
    CHECK(passage.sink.fault().empty());
    CHECK(passage.sink.remark() == "its content (gzip) has more behind its end, which is left out");
}

TEST_CASE("a bomb fails when it has become more than it may, and not before") {
    const std::string zeros(64U << 20U, '\0');
    for (const auto& [coding, coded] :
         {std::pair("gzip", test::gzip(zeros)), std::pair("zstd", test::zstd(zeros, 17))}) {
        CAPTURE(coding);
        Passage passage(Of::any);
        passage.next.keepContent = false;
        CHECK_FALSE(passage.send(html(coding), coded));
        CHECK(passage.sink.fault().find("is taken for a bomb") != std::string::npos);
        CHECK(passage.next.bytes <= http::DecodingSink::kFreeBytes);
        CHECK(passage.next.bytes >= http::DecodingSink::kFreeBytes / 2);
        CHECK_FALSE(passage.next.ended);
    }
    Passage fine(Of::any);
    fine.next.keepContent = false;
    REQUIRE(fine.send(html("gzip"), test::gzip(zeros.substr(0, 15U << 20U))));
    CHECK(fine.next.bytes == 15U << 20U);
}

TEST_CASE("the head alone is answered as the content would be") {
    Passage passage(Of::pages);
    passage.request.request.method = http::Method::head;
    REQUIRE(passage.send(html("gzip"), ""));
    CHECK(passage.next.calls == Calls{"begin", "end"});
    CHECK_FALSE(passage.hasField("Content-Encoding"));
    CHECK(passage.next.content.empty());
}

TEST_CASE("a receiver that is gone ends it at once, and is no fault of the content") {
    Passage passage(Of::any);
    passage.next.failAt = 2;
    REQUIRE(passage.begin(html("gzip")));
    CHECK_FALSE(passage.write(test::gzip("page")));
    CHECK(passage.sink.fault().empty());
}
