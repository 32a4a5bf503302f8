#include "admin/waterfall.h"

#include <catch2/catch.hpp>
#include <string>
#include <string_view>

using namespace reef;
using namespace reef::admin;
using namespace std::chrono_literals;

namespace {

bool contains(const Html& html, std::string_view text) {
    return html.text().find(text) != std::string::npos;
}

std::size_t countOf(const Html& html, std::string_view text) {
    std::size_t count = 0;
    for (auto at = html.text().find(text); at != std::string::npos;
         at = html.text().find(text, at + 1))
        ++count;
    return count;
}

PageCourse::Part partWith(PageCourse::Time read, PageCourse::Time starts, PageCourse::Time first,
                          PageCourse::Time ended) {
    PageCourse::Part part;
    part.target = "/cgi-bin/tide.sh";
    part.status = 200;
    part.attempts = 1;
    part.read = read;
    part.starts = starts;
    part.firstByte = first;
    part.ended = ended;
    return part;
}

PageCourse pageWith(PageCourse::Part part) {
    PageCourse page;
    page.target = "/page.shtml";
    page.host = "tide.example";
    page.status = 200;
    page.complete = true;
    page.took = 100ms;
    page.parts.push_back(std::move(part));
    return page;
}

} // namespace

TEST_CASE("a part's bar has its waiting, its work and its content where they were") {
    const Html drawn = waterfall(pageWith(partWith(10ms, 30ms, 70ms, 80ms)));
    CHECK(contains(drawn, R"(class="waiting" x="100" width="200")"));
    CHECK(contains(drawn, R"(class="working" x="300" width="400")"));
    CHECK(contains(drawn, R"(class="content" x="700" width="100")"));
    CHECK(contains(drawn, "After 10 ms: waits 20 ms, works 40 ms, its content comes for 10 ms"));
    CHECK(contains(drawn, ">70 ms<"));
    CHECK_FALSE(contains(drawn, "remarks"));
    CHECK_FALSE(contains(drawn, "style="));
}

TEST_CASE("a part that never ended is drawn to the page's end, and said to be unfinished") {
    auto part = partWith(10ms, 30ms, 0ms, 0ms);
    part.firstByte.reset();
    part.ended.reset();
    auto page = pageWith(part);
    page.complete = false;
    const Html drawn = waterfall(page);
    CHECK(contains(drawn, R"(class="working" x="300" width="700")"));
    CHECK(contains(drawn, R"(class="content" x="1000" width="0")"));
    CHECK(contains(drawn, "<li>unfinished</li>"));
    CHECK(contains(drawn, "the client has left"));
    CHECK(timeOf(part, page) == 90ms);
}

TEST_CASE("no bar leaves the drawing, however its times disagree, and none is invisible") {
    const Html late = waterfall(pageWith(partWith(100ms, 90ms, 500ms, 100ms)));
    CHECK(contains(late, R"(class="waiting" x="996" width="0")"));
    CHECK(contains(late, R"(class="working" x="996" width="4")"));
    CHECK(contains(late, R"(class="content" x="1000" width="0")"));
    auto never = pageWith(partWith(0ms, 0ms, 0ms, 0ms));
    never.took = 0ms;
    CHECK(contains(waterfall(never), R"(class="content" x="0" width="4")"));
    CHECK(timeOf(partWith(50ms, 50ms, 50ms, 20ms), never) == 0ms);
}

TEST_CASE("what is to be said of a part stands below it") {
    auto part = partWith(0ms, 0ms, 50ms, 60ms);
    part.failed = true;
    part.standsIn = true;
    part.attempts = 3;
    part.status = 504;
    part.source = "stale";
    part.why = "it took longer than 50 ms";
    part.lastError = "no tide table";
    part.depth = 2;
    const Html drawn = waterfall(pageWith(part));
    for (const char* text :
         {"part failed", ">504<", "<li>stale</li>", "<li>3 attempts</li>",
          "<li>it took longer than 50 ms</li>", "<li>something stands in for it</li>",
          "<li><code>no tide table</code></li>", "depth2"}) {
        INFO(text);
        CHECK(contains(drawn, text));
    }
    part.why.clear();
    CHECK(contains(waterfall(pageWith(part)), "<li>failed</li>"));
    part.depth = 10;
    CHECK(contains(waterfall(pageWith(part)), "depth5"));
}

TEST_CASE("of a page with very many parts some are drawn, and the others counted") {
    const auto part = partWith(0ms, 0ms, 1ms, 2ms);
    auto page = pageWith(part);
    page.parts.assign(kMostPartsDrawn, part);
    CHECK_FALSE(contains(waterfall(page), "not drawn"));
    page.parts.assign(kMostPartsDrawn + 5, part);
    page.untraced = 2;
    const Html drawn = waterfall(page);
    CHECK(countOf(drawn, "<svg") == kMostPartsDrawn);
    CHECK(contains(drawn, "And 7 more parts that are not drawn."));
}
