#include "app/page_json.h"
#include "app/waterfall.h"

#include <catch2/catch.hpp>

using namespace reef;
using namespace reef::app;
using namespace std::chrono_literals;

namespace {

PageCourse coursed() {
    PageCourse page;
    page.target = "/page\033[2J";
    page.status = 200;
    page.bytes = 2048;
    page.complete = true;
    page.head = 500us;
    page.ended = 100ms;
    PageCourse::Part part;
    part.target = "/cgi-bin/a.pl";
    part.status = 200;
    part.source = "made";
    part.attempts = 1;
    part.bytes = 10;
    part.admitted = 50ms;
    part.firstByte = 75ms;
    part.ended = 100ms;
    page.parts.push_back(part);
    part.target = "/b";
    part.depth = 2;
    part.status = 504;
    part.admitted = part.firstByte = part.ended = std::nullopt;
    part.why = "too late\n";
    page.parts.push_back(part);
    return page;
}

} // namespace

TEST_CASE("a waterfall has a bar for each part, of waiting, work and content") {
    const auto text = waterfall(coursed(), 80);
    CAPTURE(text);
    CHECK(
        text.starts_with("/page\\x1b[2J  200, 2.0 KB in 100 ms, the first of it after 0.5 ms\n\n"));
    std::string bar;
    for (int i = 0; i != 18; ++i)
        bar += "·";
    CHECK(text.find("  200  /cgi-bin/a.pl       100  " + bar + "░") != std::string::npos);
    CHECK(text.find("  504    /b ") != std::string::npos);
    CHECK(text.find("too late\\x0a\n         unfinished\n") != std::string::npos);
    CHECK(text.find('\033') == std::string::npos);
}

TEST_CASE("a waterfall fits a narrow terminal, and a page of no time at all") {
    auto page = coursed();
    page.ended = 0us;
    CHECK_FALSE(waterfall(page, 20).empty());
    page.parts.clear();
    CHECK_FALSE(waterfall(page, 1).empty());
}

TEST_CASE("what the server tells of a page is what the command reads") {
    site::PageRecord record;
    record.target = "/x\xFF";
    record.status = 404;
    record.bytes = 5;
    record.complete = true;
    record.when = std::chrono::system_clock::time_point(1'700'000'000s);
    auto& trace = record.trace;
    trace.ended = trace.began + 3ms;
    auto* const part = trace.add("/part", 2, 7);
    part->read = trace.began + 1ms;
    part->begun = trace.began + 2ms;
    part->ended = trace.began + 3ms;
    part->source = compose::FragmentSource::stale;
    part->attempts = 2;
    part->why = "why";
    JsonWriter json;
    json.beginObject().key("pages").beginArray();
    writePage(json, record);
    json.endArray().endObject();
    const auto pages = readPages(json.take());
    REQUIRE(pages);
    REQUIRE(pages->size() == 1);
    const PageCourse& page = pages->front();
    CHECK(page.status == 404);
    CHECK(page.when == "2023-11-14 22:13:20");
    CHECK(page.ended == 3ms);
    CHECK_FALSE(page.head);
    REQUIRE(page.parts.size() == 1);
    CHECK(page.parts.front().read == 1ms);
    CHECK(page.parts.front().admitted == 2ms);
    CHECK_FALSE(page.parts.front().firstByte);
    CHECK(page.parts.front().source == "stale");
    CHECK(page.parts.front().why == "why");
    CHECK(pageList(*pages, 100).find("/part") != std::string::npos);
    CHECK_FALSE(readPages("{}"));
    CHECK_FALSE(readPages("nonsense"));
    CHECK_FALSE(readExplanation("[]"));
}
