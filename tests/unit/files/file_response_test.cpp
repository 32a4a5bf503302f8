#include "compose/fakes.h"
#include "files/answers.h"
#include "files/file_response.h"
#include "http/date.h"

#include <catch2/catch.hpp>

using namespace reef;
using test::Answer;
using test::Fields;

namespace {

/// One file, asked for in many ways.
struct Fixture {
    Fixture() {
        for (int i = 0; i < 100; ++i)
            content += static_cast<char>('0' + i % 10);
        test::writeContent(scratch.path() / "hundred.txt", content);
        test::writeContent(scratch.path() / "large.bin", std::string(100'000, 'x'));
        root.emplace(files::DocumentRoot::open(scratch.path().string(), {}).value());
    }

    Answer ask(const char* path, const Fields& fields = {},
               http::Method method = http::Method::get) {
        test::PageRequest page(path);
        page.request.method = method;
        for (const auto& [name, value] : fields)
            page.request.fields.add(name, value);
        files::Document document;
        document.file = root->find(path).value();
        return outcomeOf([&](http::ResponseSink& sink) {
            return files::sendDocument(page.request, sink, std::move(document));
        });
    }

    template<class Call>
    static Answer outcomeOf(Call call) {
        test::Turns turns;
        test::RecordingSink sink;
        std::optional<http::Handled> handled;
        turns.scope.start(run(call(sink), handled));
        turns.run();
        REQUIRE(handled);
        return {*handled, sink.status, sink.content, sink.fields, sink.calls};
    }

    static Task<void> run(Task<http::Handled> call, std::optional<http::Handled>& handled) {
        handled = co_await std::move(call);
    }

    test::Scratch scratch;
    std::string content;
    std::optional<files::DocumentRoot> root;
};

} // namespace

TEST_CASE_METHOD(Fixture, "a file is described by its type, tag and date") {
    const auto answer = ask("/hundred.txt");
    CHECK(answer.handled);
    CHECK(answer.status == 200);
    CHECK(answer.content == content);
    CHECK(answer.field("Content-Type") == "text/plain; charset=utf-8");
    CHECK(answer.field("Accept-Ranges") == "bytes");
    const auto file = root->find("/hundred.txt").value();
    CHECK(answer.field("ETag") == files::entityTagOf(file));
    CHECK(answer.field("Last-Modified") == http::DateText(file.modified.tv_sec).view());
}

TEST_CASE_METHOD(Fixture, "small files go out in one send, large ones by sendfile") {
    CHECK(ask("/hundred.txt").calls == std::vector<std::string>{"send"});
    CHECK(ask("/large.bin").calls == std::vector<std::string>{"sendFile"});
}

TEST_CASE_METHOD(Fixture, "a tag changes with size, time and identity, and with nothing else") {
    const auto file = root->find("/hundred.txt").value();
    const auto tag = files::entityTagOf(file);
    CHECK(tag.front() == '"');
    CHECK(tag.back() == '"');
    const auto changed = [&](auto change) {
        files::OpenFile other;
        other.size = file.size;
        other.modified = file.modified;
        other.inode = file.inode;
        change(other);
        return files::entityTagOf(other) != tag;
    };
    CHECK_FALSE(changed([](files::OpenFile&) {}));
    CHECK_FALSE(changed([](files::OpenFile& other) { other.name = "other"; }));
    CHECK(changed([](files::OpenFile& other) { ++other.size; }));
    CHECK(changed([](files::OpenFile& other) { ++other.inode; }));
    CHECK(changed([](files::OpenFile& other) { ++other.modified.tv_sec; }));
    CHECK(changed([](files::OpenFile& other) { other.modified.tv_nsec ^= 1; }));
}

TEST_CASE_METHOD(Fixture, "conditions are decided before ranges") {
    const auto tag = ask("/hundred.txt").field("ETag");
    const auto same = ask("/hundred.txt", {{"If-None-Match", tag}, {"Range", "bytes=0-9"}});
    CHECK(same.status == 304);
    CHECK(same.content.empty());
    CHECK(same.field("ETag") == tag);
    const auto failed = ask("/hundred.txt", {{"If-Match", "\"other\""}, {"Range", "bytes=0-9"}});
    REQUIRE_FALSE(failed.handled);
    CHECK(failed.handled.error().status == 412);
}

TEST_CASE_METHOD(Fixture, "a range is a part with its place") {
    struct Case {
        const char* range;
        int status;
        const char* place;
        std::size_t first;
        std::size_t count;
    };
    for (const Case c :
         {Case{"bytes=0-9", 206, "bytes 0-9/100", 0, 10},
          Case{"bytes=-10", 206, "bytes 90-99/100", 90, 10},
          Case{"bytes=95-200", 206, "bytes 95-99/100", 95, 5},
          Case{"bytes=100-", 416, "bytes */100", 0, 0}, Case{"bytes=9-0", 200, "", 0, 100}}) {
        INFO(c.range);
        const auto answer = ask("/hundred.txt", {{"Range", c.range}});
        CHECK(answer.status == c.status);
        CHECK(answer.field("Content-Range") == c.place);
        if (c.status != 416) CHECK(answer.content == content.substr(c.first, c.count));
    }
    CHECK(ask("/hundred.txt", {{"Range", "bytes=0-9"}}, http::Method::head).status == 200);
}

TEST_CASE_METHOD(Fixture, "other methods are told which ones there are") {
    const auto answer = ask("/hundred.txt", {}, http::Method::post);
    REQUIRE_FALSE(answer.handled);
    CHECK(answer.handled.error().status == 405);
    CHECK(answer.handled.error().fields == Fields{{"Allow", "GET, HEAD, OPTIONS"}});
    CHECK(ask("/hundred.txt", {}, http::Method::other).handled.error().status == 501);
    const auto asked = ask("/hundred.txt", {}, http::Method::options);
    CHECK(asked.status == 204);
    CHECK(asked.field("Allow") == "GET, HEAD, OPTIONS");
}

TEST_CASE_METHOD(Fixture, "an absence is a redirect or a status") {
    struct Case {
        files::Absence absence;
        int status;
    };
    for (const Case c :
         {Case{files::Absence::notFound, 404}, Case{files::Absence::noIndex, 404},
          Case{files::Absence::forbidden, 403}, Case{files::Absence::unavailable, 503}}) {
        test::PageRequest page("/docs");
        const auto answer = outcomeOf([&](http::ResponseSink& sink) {
            return files::answerAbsence(page.request, sink, c.absence);
        });
        REQUIRE_FALSE(answer.handled);
        CHECK(answer.handled.error().status == c.status);
    }
    test::PageRequest page("/caf%C3%A9 dir?a=1&b");
    const auto moved = outcomeOf([&](http::ResponseSink& sink) {
        return files::answerAbsence(page.request, sink, files::Absence::addSlash);
    });
    CHECK(moved.status == 301);
    CHECK(moved.field("Location") == "/caf%C3%A9%20dir/?a=1&b");
}
