#include "admin/chart.h"
#include "admin/dashboard_page.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

using namespace reef;
using namespace reef::admin;
using namespace std::chrono;
using pageviews::Report;

namespace {

const pageviews::Time kNow = sys_days(2026y / November / 30) + 14h + 20min;

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

Report someReport() {
    Report report;
    report.now = kNow;
    report.since = kNow - 48h;
    report.today.people = 1234;
    report.lastDay.people = 300;
    report.lastDay.bots = 100;
    report.all.people = 98765;
    for (int i = 0; i < 24; ++i) {
        auto& point = report.series.emplace_back();
        point.begin = sys_days(2026y / November / 29) + 15h + hours(i);
        point.views.people = static_cast<std::uint64_t>(i);
    }
    return report;
}

pageviews::ViewRow viewOf(std::string text) {
    pageviews::ViewRow row;
    row.time = kNow;
    row.site = text;
    row.path = text;
    row.referrer = text;
    row.agent = text;
    row.status = 200;
    return row;
}

} // namespace

TEST_CASE("the dashboard shows totals, chart, pages, views and the server") {
    Report report = someReport();
    report.pages.push_back({"", "/about", 77, 1000, 4200us});
    report.lastViews.push_back(viewOf("/here"));
    ServerFacts facts;
    facts.version = "0.1.0";
    facts.uptime = 76h;
    const Html page = dashboardPage(report, facts, timeRangeNamed("day"));
    for (const char* text : {"1,234", "98,765", "25%", "100 of 400", "/about", "4.2 ms", "/here",
                             "0.1.0", "3 days 4 h", "since 2026-11-28", "UTC"}) {
        INFO(text);
        CHECK(contains(page, text));
    }
    CHECK_FALSE(contains(page, "Memory")); // nobody has measured it here
    CHECK_FALSE(contains(page, "missing from these numbers"));
}

TEST_CASE("hostile text in every field of the log is shown as text") {
    const std::string attacks[] = {
        "<script>alert(1)</script>",
        "\"><img src=x onerror=alert(1)>",
        "'onmouseover='alert(1)",
        "javascript:alert(1)",
        "</td></table><form action=//evil.example>",
        "{}{}<b>",
        std::string("a\0b\x1b[31m\r\nSet-Cookie: x", 22),
        "\xe2\x80\xae\xff<svg/onload=alert(1)>",
    };
    for (const std::string& attack : attacks) {
        INFO(attack);
        Report report = someReport();
        report.pages.push_back({attack, attack, 1, 1, 1us});
        report.lastViews.push_back(viewOf(attack));
        ServerFacts facts;
        facts.version = attack;
        facts.directory = attack;
        facts.addresses = {attack};
        const Html hostile = dashboardPage(report, facts, timeRangeNamed("day"));

        Report harmless = someReport();
        harmless.pages.push_back({"x", "x", 1, 1, 1us});
        harmless.lastViews.push_back(viewOf("x"));
        facts.version = facts.directory = "x";
        facts.addresses = {"x"};
        const Html plain = dashboardPage(harmless, facts, timeRangeNamed("day"));

        // Not one tag, quote or address more than with a harmless text.
        for (const char* sign : {"<", ">", "\"", "href=", "src=", "<a ", "<img", "<script"}) {
            INFO(sign);
            if (std::string_view(sign).size() > 1 && attack.find(sign) != std::string::npos)
                continue; // as text it may stand there
            CHECK(countOf(hostile, sign) == countOf(plain, sign));
        }
        CHECK(countOf(hostile, "'") == 0);
        for (const char* raw : {"\r", "\x1b", "\xe2\x80\xae", "\xff"})
            CHECK_FALSE(contains(hostile, raw));
        CHECK(hostile.text().find('\0') == std::string::npos);
    }
}

TEST_CASE("a referrer is never a link") {
    Report report = someReport();
    for (const char* referrer : {"javascript:alert(1)", "https://example.org/", "example.org/a"})
        report.lastViews.push_back(viewOf(referrer));
    const Html page = lastViewsSection(report);
    CHECK(contains(page, "javascript:alert(1)"));
    CHECK(countOf(page, "<a") == 0);
}

TEST_CASE("a person and a bot are told apart, with the reason") {
    Report report = someReport();
    auto bot = viewOf("/");
    bot.verdict = pageviews::Verdict::clientLibrary;
    report.lastViews = {viewOf("/"), bot};
    const Html page = lastViewsSection(report);
    CHECK(contains(page, ">person<"));
    CHECK(contains(page, ">bot<"));
    CHECK(contains(page, "client-library"));
}

TEST_CASE("a server without views says what will come") {
    const Html never = dashboardPage(fail(Error::notFound), ServerFacts(), timeRangeNamed("day"));
    CHECK(contains(never, "No views yet"));
    Report empty;
    empty.now = kNow;
    CHECK(contains(dashboardPage(empty, ServerFacts(), timeRangeNamed("day")), "No views yet"));
}

TEST_CASE("what cannot be read or written is said, and the rest is shown") {
    ServerFacts facts;
    facts.version = "0.1.0";
    facts.recording = Recording::failing;
    const Html page = dashboardPage(fail(Error::malformed), facts, timeRangeNamed("day"));
    CHECK(contains(page, "cannot be read"));
    CHECK(contains(page, "cannot be written"));
    CHECK(contains(page, "0.1.0"));
    CHECK_FALSE(contains(page, "No views yet"));

    Report report = someReport();
    report.lost = 1500;
    CHECK(contains(dashboardPage(report, ServerFacts(), timeRangeNamed("day")),
                   "1,500 views could not be recorded"));
}

TEST_CASE("pageviews that are switched off are no trouble, and the page says so") {
    ServerFacts facts;
    facts.recording = Recording::off;
    for (const auto& report :
         {Result<Report>(someReport()), Result<Report>(fail(Error::notFound))}) {
        const Html page = dashboardPage(report, facts, timeRangeNamed("day"));
        CHECK(contains(page, "switched off"));
        CHECK_FALSE(contains(page, "cannot be written"));
        CHECK_FALSE(contains(page, "As soon as somebody"));
    }
}

TEST_CASE("the chart has one bar a step and says its numbers as text") {
    const Report report = someReport();
    const Html chart = viewsChart(report.series, timeRangeNamed("day"));
    CHECK(countOf(chart, "<g class=\"bar") == 24);
    CHECK(countOf(chart, "<g class=\"bar open\"") == 1);
    CHECK(contains(chart, "29 Nov, 15:00 to 16:00: 0 views"));
    CHECK(contains(chart, "30 Nov, 14:00 to 15:00 (not over yet): 23 views"));
    CHECK(countOf(chart, "<tr>") == 25);
    CHECK_FALSE(contains(chart, "style="));
}

TEST_CASE("no bar is higher than the chart, and none that counts is invisible") {
    std::vector<pageviews::SeriesPoint> series(3);
    series[0].views.people = 1'000'000'000'000;
    series[0].views.bots = 1'000'000'000'000;
    series[1].views.people = 1;
    const Html chart = viewsChart(series, timeRangeNamed("week"));
    CHECK(contains(chart, "height=\"12\"/><rect class=\"bots\"")); // one view
    CHECK(contains(chart, "2,000,000,000,000"));
    CHECK(contains(chart, "class=\"people\" x=\"14\" y=\"500\" width=\"72\" height=\"500\""));
    CHECK(contains(chart, "class=\"bots\" x=\"14\" y=\"0\" width=\"72\" height=\"500\""));
}

TEST_CASE("an empty chart is drawn without dividing by nothing") {
    CHECK(contains(viewsChart({}, timeRangeNamed("day")), "<svg"));
}

TEST_CASE("scales end on round numbers whose half is whole") {
    CHECK(scaleFor(0) == 4);
    CHECK(scaleFor(4) == 4);
    CHECK(scaleFor(5) == 6);
    CHECK(scaleFor(9) == 10);
    CHECK(scaleFor(11) == 20);
    CHECK(scaleFor(21) == 40);
    CHECK(scaleFor(401) == 600);
    CHECK(scaleFor(801) == 1000);
    for (std::uint64_t value = 0; value < 5000; ++value) {
        CHECK(scaleFor(value) >= value);
        CHECK(scaleFor(value) % 2 == 0);
    }
}

TEST_CASE("a time range reads what its chart shows") {
    CHECK(timeRangeNamed("week").key == "week");
    CHECK(timeRangeNamed("").key == "day");
    CHECK(timeRangeNamed("<script>").key == "day");
    const auto day = timeRangeNamed("day").query(kNow);
    CHECK(day.seriesSteps == 24);
    CHECK(day.pagesFrom == sys_days(2026y / November / 29) + 15h);
    const auto month = timeRangeNamed("month").query(kNow);
    CHECK(month.pagesFrom == sys_days(2026y / November / 1));
}
