#include "compose/fakes.h"
#include "coro/turns.h"
#include "http/range_sink.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace reef;
using namespace reef::test;

namespace {

struct Asked {
    explicit Asked(std::string_view range, std::string_view tag = "\"v1\"") : page("/a") {
        if (!range.empty()) page.request.fields.add("Range", range);
        etag = tag;
    }

    Asked& send(int status = 200) {
        turns.scope.start(sending(status));
        turns.run();
        return *this;
    }
    Task<void> sending(int status) {
        http::RangeSink filter(page.request, sink);
        http::ResponseHead head(page.arena, status);
        if (!etag.empty()) head.fields.add("ETag", etag);
        const ByteView pieces[] = {bytesOf(std::string_view("0123")),
                                   bytesOf(std::string_view("456789"))};
        CHECK(co_await filter.send(head, pieces));
    }
    bool says(const std::string& field) const {
        return std::ranges::find(sink.fields, field) != sink.fields.end();
    }

    PageRequest page;
    std::string etag;
    Turns turns;
    RecordingSink sink;
};

} // namespace

TEST_CASE("a range of a whole answer is cut out of its pieces") {
    Asked asked("bytes=2-6");
    CHECK(asked.send().sink.status == 206);
    CHECK(asked.sink.content == "23456");
    CHECK(asked.says("Content-Range: bytes 2-6/10"));
    Asked last("bytes=-3");
    CHECK(last.send().sink.content == "789");
    Asked first("bytes=0-0");
    CHECK(first.send().sink.content == "0");
}

TEST_CASE("a range that is not there is answered by 416, without content") {
    Asked asked("bytes=10-");
    CHECK(asked.send().sink.status == 416);
    CHECK(asked.sink.content.empty());
    CHECK(asked.says("Content-Range: bytes */10"));
}

TEST_CASE("all other answers pass whole: without strong tag, other statuses, several ranges") {
    const auto whole = [](Asked& asked, int status = 200) {
        asked.send(status);
        CHECK(asked.sink.status == status);
        CHECK(asked.sink.content == "0123456789");
    };
    Asked none("");
    whole(none);
    Asked untagged("bytes=2-6", "");
    whole(untagged);
    Asked weak("bytes=2-6", "W/\"v1\"");
    whole(weak);
    Asked missing("bytes=2-6");
    whole(missing, 404);
    Asked several("bytes=2-3,5-6");
    whole(several);
    Asked unit("lines=2-6");
    whole(unit);
    Asked other("bytes=2-6");
    other.page.request.fields.add("If-Range", "\"v0\"");
    whole(other);
    Asked post("bytes=2-6");
    post.page.request.method = http::Method::post;
    whole(post);
}

TEST_CASE("If-Range with the same tag lets the range through, and a whole answer offers ranges") {
    Asked same("bytes=2-6");
    same.page.request.fields.add("If-Range", "\"v1\"");
    CHECK(same.send().sink.status == 206);
    Asked plain("");
    CHECK(plain.send().says("Accept-Ranges: bytes"));
}
