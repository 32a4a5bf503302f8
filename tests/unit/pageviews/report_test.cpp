#include "fixture.h"
#include "pageviews/report.h"
#include "pageviews/store.h"

#include <catch2/catch.hpp>
#include <thread>

using namespace reef;
using namespace reef::pageviews;
using namespace std::chrono_literals;
using reef::pageviews::test::kNow;
using reef::pageviews::test::pageEvent;
using reef::pageviews::test::Scratch;

namespace {

/// A database of the views, each pushed `times`.
struct Views {
    Event event;
    int times;
};
std::string written(const Scratch& scratch, const std::vector<Views>& all) {
    const auto file = scratch / "p.db";
    auto store = Store::open(file, {});
    REQUIRE(store);
    REQUIRE((*store)->begin());
    for (const auto& [event, times] : all)
        for (int i = 0; i < times; ++i)
            REQUIRE((*store)->add(event));
    REQUIRE((*store)->commit());
    return file;
}

Report reportOf(const std::string& file, const ReportQuery& query = ReportQuery(kNow)) {
    auto reader = ReportReader::open(file);
    REQUIRE(reader);
    auto report = (*reader)->read(query);
    REQUIRE(report);
    return std::move(*report);
}

Event botEvent(std::string_view path, Time time = kNow) {
    auto event = pageEvent(path, time);
    event.userAgent = "curl/7.88.1";
    return event;
}

} // namespace

TEST_CASE("totals divide by class and by time") {
    const Scratch scratch;
    auto feed = pageEvent("/feed");
    feed.contentType = "application/rss+xml";
    auto ahead = pageEvent("/");
    ahead.purpose = "prefetch";
    const auto file =
        written(scratch, {{pageEvent("/"), 3},
                          {botEvent("/"), 2},
                          {feed, 4},
                          {ahead, 1},
                          {pageEvent("/", kNow - 22h), 10},  // yesterday, within 24 hours
                          {pageEvent("/", kNow - 24h), 100}, // a quarter too old for them
                          {pageEvent("/", kNow - 400 * 24h), 1000}});
    const auto report = reportOf(file);
    CHECK(report.today.people == 3);
    CHECK(report.lastDay.people == 13);
    CHECK(report.all.people == 1113);
    CHECK(report.today.bots == 2);
    CHECK(report.all.feeds == 4);
    CHECK(report.all.prefetched == 1);
    CHECK(report.since == timeOfQuarter(quarterOf(kNow - 400 * 24h)));
    CHECK(report.lost == 0);
}

TEST_CASE("today begins where the reader's zone says") { // plausible#216, rule R14
    const Scratch scratch;
    const auto midnight = std::chrono::floor<std::chrono::days>(kNow);
    const auto kathmandu = midnight - 5h - 45min;
    const auto file =
        written(scratch, {{pageEvent("/", kathmandu - 1ms), 1}, {pageEvent("/", kathmandu), 2}});
    ReportQuery query(kNow);
    CHECK(reportOf(file, query).today.people == 0);
    query.todayBegins = kathmandu;
    CHECK(reportOf(file, query).today.people == 2);
}

TEST_CASE("the most seen pages come first, bots left aside") {
    const Scratch scratch;
    auto slow = pageEvent("/b");
    slow.duration = std::chrono::microseconds(4500);
    const auto file = written(
        scratch, {{pageEvent("/a"), 3}, {pageEvent("/b"), 4}, {slow, 1}, {botEvent("/c"), 90}});
    const auto report = reportOf(file);
    REQUIRE(report.pages.size() == 2);
    CHECK(report.pages[0].path == "/b");
    CHECK(report.pages[0].views == 5);
    CHECK(report.pages[0].bytes == 5 * 2048);
    CHECK(report.pages[0].meanDuration == std::chrono::microseconds((4 * 1500 + 4500) / 5));
    CHECK(report.pages[1].path == "/a");

    ReportQuery query(kNow);
    query.pages = 1;
    CHECK(reportOf(file, query).pages.size() == 1);
}

TEST_CASE("a range of pages is exact to the quarter, whole days or not") {
    const Scratch scratch;
    std::vector<Views> views;
    for (int quarter = 0; quarter < 500; ++quarter)
        views.push_back({pageEvent("/", kNow - quarter * 15min), 1});
    const auto file = written(scratch, views);
    for (const int quarters : {1, 2, 85, 86, 95, 96, 97, 190, 200, 499, 500}) {
        ReportQuery query(kNow);
        query.pagesFrom = kNow - (quarters - 1) * 15min;
        CAPTURE(quarters);
        CHECK(reportOf(file, query).pages.at(0).views == static_cast<std::uint64_t>(quarters));
    }
}

TEST_CASE("a range is split into whole days and its two ends") {
    for (std::int64_t first = 0; first < 200; first += 7) {
        for (std::int64_t end = first; end < 500; end += 11) {
            const auto parts = splitRange(first, end);
            const auto length = [](RangeParts::Part part) { return part.end - part.first; };
            CAPTURE(first, end);
            REQUIRE(length(parts.head) >= 0);
            REQUIRE(length(parts.days) >= 0);
            REQUIRE(length(parts.tail) >= 0);
            REQUIRE(length(parts.head) + 96 * length(parts.days) + length(parts.tail) ==
                    end - first);
        }
    }
}

TEST_CASE("the last page views come newest first, with all that is known") {
    const Scratch scratch;
    auto last = botEvent("/last");
    last.status = 304;
    last.referrer = "https://x.org/a";
    last.site = "blog";
    const auto file = written(scratch, {{pageEvent("/first", kNow - 5s), 1}, {last, 1}});
    const auto report = reportOf(file);
    REQUIRE(report.lastViews.size() == 2);
    const auto& row = report.lastViews[0];
    CHECK(row.time == kNow);
    CHECK(row.site == "blog");
    CHECK(row.path == "/last");
    CHECK(row.referrer == "x.org/a");
    CHECK(row.agent == "curl");
    CHECK(row.verdict == Verdict::clientLibrary);
    CHECK(row.status == 304);
    CHECK(row.bytes == 2048);
    CHECK(row.duration == std::chrono::microseconds(1500));
    CHECK(report.lastViews[1].path == "/first");
    CHECK(report.lastViews[1].referrer.empty());
}

TEST_CASE("a series has no holes and ends with the present step") {
    const Scratch scratch;
    const auto file =
        written(scratch, {{pageEvent("/"), 1}, {botEvent("/"), 5}, {pageEvent("/", kNow - 3h), 2}});
    const auto hours = reportOf(file).series;
    REQUIRE(hours.size() == 24);
    CHECK(hours[23].begin == std::chrono::floor<std::chrono::hours>(kNow));
    CHECK(hours[23].views.people == 1);
    CHECK(hours[23].views.bots == 5);
    CHECK(hours[20].views.people == 2);
    CHECK(hours[21].views.people == 0);

    ReportQuery query(kNow);
    query.seriesStep = Quarters(1);
    query.seriesSteps = 96;
    const auto quarters = reportOf(file, query).series;
    REQUIRE(quarters.size() == 96);
    CHECK(quarters[95].begin == timeOfQuarter(quarterOf(kNow)));
    CHECK(quarters[95 - 12].views.people == 2);
}

TEST_CASE("without a database there is no report, and the reason is told") {
    const Scratch scratch;
    const auto missing = ReportReader::open(scratch / "p.db");
    REQUIRE_FALSE(missing);
    CHECK(missing.error() == Error::notFound);

    auto empty = Database::open(scratch / "empty.db", Access::readWrite, 100ms);
    REQUIRE(empty);
    const auto unmade = ReportReader::open(scratch / "empty.db");
    REQUIRE_FALSE(unmade);
    CHECK(unmade.error() == Error::notFound);

    REQUIRE(empty->execute("PRAGMA user_version = 999"));
    const auto newer = ReportReader::open(scratch / "empty.db");
    REQUIRE_FALSE(newer);
    CHECK(newer.error() == Error::unsupported);
}

TEST_CASE("a database without views gives an empty report") {
    const Scratch scratch;
    const auto report = reportOf(written(scratch, {}));
    CHECK_FALSE(report.since);
    CHECK(report.all.people == 0);
    CHECK(report.pages.empty());
    CHECK(report.lastViews.empty());
    CHECK(report.series.size() == 24);
}

TEST_CASE("a reader reads while a writer holds the lock") {
    const Scratch scratch;
    const auto file = written(scratch, {{pageEvent("/"), 1}});
    auto store = Store::open(file, {});
    REQUIRE(store);
    REQUIRE((*store)->begin());
    REQUIRE((*store)->add(pageEvent("/")));
    const auto start = std::chrono::steady_clock::now();
    CHECK(reportOf(file).all.people == 1);
    CHECK(std::chrono::steady_clock::now() - start < 1s);
    REQUIRE((*store)->commit());
    CHECK(reportOf(file).all.people == 2);
}

TEST_CASE("an interrupted reader gives up, and stays so") {
    const Scratch scratch;
    const auto file = written(scratch, {{pageEvent("/"), 1}});
    auto reader = ReportReader::open(file);
    REQUIRE(reader);
    std::thread([&reader] { (*reader)->interrupt(); }).join();
    const auto report = (*reader)->read(ReportQuery(kNow));
    REQUIRE_FALSE(report);
    CHECK(report.error() == Error::timedOut);
}
