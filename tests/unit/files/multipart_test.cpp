#include "files/answers.h"
#include "files/representation.h"

using namespace reef;

namespace {

std::string numbered(std::size_t bytes) {
    std::string text;
    for (int i = 0; text.size() < bytes; ++i)
        text += std::to_string(i) + ' ';
    text.resize(bytes);
    return text;
}

struct Part {
    std::string type;
    std::string range;
    std::string content;
};

/// Takes a multipart content apart, with strict looks at its lines.
std::vector<Part> partsOf(const test::Answer& answer) {
    const std::string prefix = "multipart/byteranges; boundary=";
    const auto type = answer.field("Content-Type");
    REQUIRE(type.starts_with(prefix));
    const auto boundary = "--" + type.substr(prefix.size());
    std::vector<Part> parts;
    std::size_t at = 0;
    for (;;) {
        REQUIRE(answer.content.compare(at, boundary.size(), boundary) == 0);
        at += boundary.size();
        if (answer.content.compare(at, std::string::npos, "--\r\n") == 0) return parts;
        const auto head = answer.content.find("\r\n\r\n", at);
        const auto end = answer.content.find("\r\n" + boundary, head);
        REQUIRE(end != std::string::npos);
        const auto lines = answer.content.substr(at, head - at);
        const auto between = lines.find("\r\nContent-Range: ");
        REQUIRE(lines.starts_with("\r\nContent-Type: "));
        REQUIRE(between != std::string::npos);
        parts.push_back({lines.substr(16, between - 16), lines.substr(between + 17),
                         answer.content.substr(head + 4, end - head - 4)});
        at = end + 2;
    }
}

} // namespace

TEST_CASE_METHOD(test::FileSite, "several ranges come as parts, in the order asked for") {
    for (const std::size_t size : {std::size_t{1000}, std::size_t{200'000}}) {
        const auto text = numbered(size);
        put("file.txt", text);
        rest();
        const auto answer = ask("/file.txt", {{"Range", "bytes=500-509, 0-0,-10"}});
        CHECK(answer.status == 206);
        CHECK(answer.field("Content-Range").empty());
        CHECK(answer.field("ETag").starts_with('"'));
        CHECK(answer.calls.front() == "begin");
        CHECK(answer.calls.back() == "end");
        const auto parts = partsOf(answer);
        REQUIRE(parts.size() == 3);
        const auto total = std::to_string(size);
        CHECK(parts[0].range == "bytes 500-509/" + total);
        CHECK(parts[0].content == text.substr(500, 10));
        CHECK(parts[1].range == "bytes 0-0/" + total);
        CHECK(parts[1].content == text.substr(0, 1));
        CHECK(parts[2].content == text.substr(size - 10));
        for (const Part& part : parts)
            CHECK(part.type == "text/plain; charset=utf-8");
    }
}

TEST_CASE_METHOD(test::FileSite, "the length that is told is the length of all parts") {
    put("file.bin", numbered(150'000));
    test::PageRequest page("/file.bin");
    page.request.fields.add("Range", "bytes=0-99999,100010-100019");
    test::RecordingSink sink;
    turn();
    std::optional<http::Handled> handled;
    coro::Scope scope;
    scope.start(
        run(files::sendDocument(page.request, sink, *cache->find("/file.bin"), options), handled));
    REQUIRE(handled);
    CHECK(sink.length == sink.content.size());
    CHECK(sink.ended);
}

TEST_CASE_METHOD(test::FileSite, "of several ranges the one that can be satisfied is sent alone") {
    put("file.txt", numbered(100));
    const auto answer = ask("/file.txt", {{"Range", "bytes=200-300,5-6"}});
    CHECK(answer.status == 206);
    CHECK(answer.field("Content-Range") == "bytes 5-6/100");
    CHECK(answer.field("Content-Type") == "text/plain; charset=utf-8");
    CHECK(ask("/file.txt", {{"Range", "bytes=200-300,400-"}}).status == 416);
}

TEST_CASE_METHOD(test::FileSite,
                 "too many ranges, or ranges that overlap to more than all, are ignored") {
    put("file.txt", numbered(100));
    CHECK(ask("/file.txt", {{"Range", "bytes=0-0,2-2,4-4,6-6,8-8,10-10,12-12,14-14,16-16"}})
              .content == numbered(100));
    CHECK(ask("/file.txt", {{"Range", "bytes=0-,0-,0-"}}).content == numbered(100));
    CHECK(ask("/file.txt", {{"Range", "bytes=0-60,30-90"}}).status == 200);
    CHECK(ask("/file.txt", {{"Range", "bytes=0-20,10-30"}}).status == 206);
}

TEST_CASE_METHOD(test::FileSite, "parts of a changed file are not mixed with those of the old") {
    put("file.txt", numbered(100));
    const auto tag = ask("/file.txt").field("ETag");
    CHECK(ask("/file.txt", {{"Range", "bytes=0-0,2-2"}, {"If-Range", tag}}).status == 206);
    CHECK(ask("/file.txt", {{"Range", "bytes=0-0,2-2"}, {"If-Range", "\"other\""}}).status == 200);
}

TEST_CASE_METHOD(test::FileSite, "two answers have two boundaries") {
    put("file.txt", numbered(100));
    const test::Fields ranges{{"Range", "bytes=0-0,2-2"}};
    CHECK(ask("/file.txt", ranges).field("Content-Type") !=
          ask("/file.txt", ranges).field("Content-Type"));
}
