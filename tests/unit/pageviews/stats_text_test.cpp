#include "base/utf8.h"
#include "fixture.h"
#include "pageviews/stats_text.h"

#include <Poco/JSON/Object.h>
#include <Poco/JSON/Parser.h>

#include <catch2/catch.hpp>

using namespace reef;
using namespace reef::pageviews;
using reef::pageviews::test::kNow;

namespace {

Report sample() {
    Report report;
    report.now = kNow;
    report.since = kNow - std::chrono::hours(48);
    report.today = {3, 1, 0, 0};
    report.lastDay = {30, 2, 0, 0};
    report.all = {1234, 20, 5, 7};
    report.pages = {{"", "/", 1000, 5000, std::chrono::microseconds(2340)},
                    {"", "/caf\xc3\xa9", 234, 100, std::chrono::microseconds(90)}};
    report.lastViews = {{kNow, "", "/", "x.org", "Firefox", Verdict::person, 200, 512,
                         std::chrono::microseconds(1200)}};
    report.series = {{kNow, {3, 1, 0, 0}}};
    report.seriesStep = Quarters(4);
    return report;
}

/// What a database could hold that somebody else has written into.
Report hostile() {
    auto report = sample();
    report.pages[0].path = "/\x1b]0;owned\x07\xff</script>\"\xe2\x80\xae";
    report.lastViews[0].referrer = "\r\nforged line";
    report.lastViews[0].agent = std::string("\0bot\x7f", 5);
    return report;
}

Poco::JSON::Object::Ptr parsed(const std::string& json) {
    return Poco::JSON::Parser().parse(json).extract<Poco::JSON::Object::Ptr>();
}

} // namespace

TEST_CASE("a report reads well in a terminal") {
    CHECK(statsTable(sample(), 80) ==
          "Pageviews, 2026-11-30 21:15 UTC, counted since 2026-11-28 21:15\n"
          "\n"
          "            today  24 hours  total\n"
          "people          3        30   1234\n"
          "bots            1         2     20\n"
          "prefetched      0         0      5\n"
          "feeds           0         0      7\n"
          "\n"
          "Most seen pages\n"
          "views  mean ms  page\n"
          " 1000      2.3  /\n"
          "  234      0.0  /caf\xc3\xa9\n"
          "\n"
          "Last page views\n"
          "time            status   ms  by       page  from\n"
          "11-30 21:15:09     200  1.2  Firefox  /     x.org\n");
}

TEST_CASE("a report without views, and one with losses, say so") {
    Report empty;
    empty.now = kNow;
    CHECK(statsTable(empty, 80).find("Most seen") == std::string::npos);
    CHECK(statsTable(empty, 80).find("since") == std::string::npos);
    CHECK(statsJson(empty).find("\"since\":null") != std::string::npos);

    auto lossy = sample();
    lossy.lost = 12;
    CHECK(statsTable(lossy, 80).find("12 views could not be recorded") != std::string::npos);
    CHECK(parsed(statsJson(lossy))->getValue<int>("lost") == 12);
}

TEST_CASE("sites are named when there are several") {
    auto report = sample();
    CHECK(statsTable(report, 80).find("blog") == std::string::npos);
    report.pages[1].site = "blog";
    CHECK(statsTable(report, 80).find("blog/caf\xc3\xa9") != std::string::npos);
}

TEST_CASE("no line is wider than the terminal") {
    auto report = sample();
    report.pages[1].path = "/" + std::string(1000, 'x');
    report.lastViews[0].path = "/" + std::string(1000, 'y');
    report.lastViews[0].referrer = std::string(1000, 'z');
    const std::string table = statsTable(report, 80);
    for (std::string_view rest = table; !rest.empty();) {
        const auto line = rest.substr(0, rest.find('\n'));
        CHECK(utf8::columns(line) <= 80);
        rest.remove_prefix(line.size() + 1);
    }
}

TEST_CASE("hostile text stays text in a terminal") {
    const std::string table = statsTable(hostile(), 200);
    for (const char c : table)
        CHECK((c == '\n' || static_cast<unsigned char>(c) >= 0x20));
    CHECK(utf8::isValid(table));
    CHECK(table.find("\\x1b]0;owned\\x07\\xff") != std::string::npos);
    CHECK(table.find("\nforged") == std::string::npos);
    CHECK(table.find("\xe2\x80\xae") == std::string::npos);
}

TEST_CASE("hostile text stays a string in JSON") {
    const std::string json = statsJson(hostile());
    CHECK(utf8::isValid(json));
    CHECK(json.find('<') == std::string::npos);
    const auto document = parsed(json);
    CHECK(document->getArray("pages")->getObject(0)->getValue<std::string>("path") ==
          "/\x1b]0;owned\x07\xef\xbf\xbd</script>\"\xe2\x80\xae");
    CHECK(document->getArray("last_views")->getObject(0)->getValue<std::string>("referrer") ==
          "\r\nforged line");
}

TEST_CASE("an independent parser finds every number in the JSON") {
    const auto document = parsed(statsJson(sample()));
    CHECK(document->getValue<std::string>("now") == "2026-11-30T21:15:09Z");
    CHECK(document->getValue<std::string>("since") == "2026-11-28T21:15:09Z");
    CHECK(document->getObject("today")->getValue<int>("people") == 3);
    CHECK(document->getObject("last_24_hours")->getValue<int>("bots") == 2);
    CHECK(document->getObject("total")->getValue<int>("people") == 1234);
    const auto page = document->getArray("pages")->getObject(0);
    CHECK(page->getValue<int>("views") == 1000);
    CHECK(page->getValue<int>("mean_duration_us") == 2340);
    const auto request = document->getArray("last_views")->getObject(0);
    CHECK(request->getValue<std::string>("verdict") == "person");
    CHECK(request->getValue<int>("status") == 200);
    const auto series = document->getObject("series");
    CHECK(series->getValue<int>("step_minutes") == 60);
    CHECK(series->getArray("points")->getObject(0)->getObject("views")->getValue<int>("people") ==
          3);
}
