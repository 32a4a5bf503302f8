#include "pageviews/stats_text.h"

#include "base/json.h"
#include "base/text.h"
#include "pageviews/text_table.h"

#include <algorithm>
#include <ctime>

namespace reef::pageviews {

namespace {

using Align = TextTable::Align;

constexpr std::size_t kAny = 1000; ///< no limit but the longest key's

std::string format(Time time, const char* pattern) {
    const std::time_t seconds =
        std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    char buffer[32];
    return {buffer, std::strftime(buffer, sizeof buffer, pattern, &parts)};
}

/// "12.3", never in the notation of a locale.
std::string milliseconds(std::chrono::microseconds duration) {
    const auto tenths = std::max<std::int64_t>(duration.count(), 0) / 100;
    return text::concat(tenths / 10, '.', tenths % 10);
}

/// The page, with its site when the report knows several.
std::string pageName(const std::string& site, const std::string& path, bool severalSites) {
    return severalSites ? site + path : path;
}

bool hasSeveralSites(const Report& report) {
    const auto differs = [&](const auto& row) { return row.site != report.pages.front().site; };
    return !report.pages.empty() && (std::ranges::any_of(report.pages, differs) ||
                                     std::ranges::any_of(report.lastViews, differs));
}

std::string totalsTable(const Report& report, std::size_t width) {
    TextTable table({{"", Align::left, kAny},
                     {"today", Align::right, kAny},
                     {"24 hours", Align::right, kAny},
                     {"total", Align::right, kAny}});
    const auto row = [&](const char* name, std::uint64_t Totals::* count) {
        table.add({name, std::to_string(report.today.*count), std::to_string(report.lastDay.*count),
                   std::to_string(report.all.*count)});
    };
    row("people", &Totals::people);
    row("bots", &Totals::bots);
    row("prefetched", &Totals::prefetched);
    row("feeds", &Totals::feeds);
    return table.print(width, 0);
}

std::string pagesTable(const Report& report, std::size_t width, bool severalSites) {
    TextTable table({{"views", Align::right, kAny},
                     {"mean ms", Align::right, kAny},
                     {"page", Align::left, kAny}});
    for (const auto& page : report.pages) {
        table.add({std::to_string(page.views), milliseconds(page.meanDuration),
                   pageName(page.site, page.path, severalSites)});
    }
    return table.print(width, 2);
}

std::string lastViewsTable(const Report& report, std::size_t width, bool severalSites) {
    TextTable table({{"time", Align::left, kAny},
                     {"status", Align::right, kAny},
                     {"ms", Align::right, kAny},
                     {"by", Align::left, 20},
                     {"page", Align::left, kAny},
                     {"from", Align::left, 24}});
    for (const auto& view : report.lastViews) {
        table.add({format(view.time, "%m-%d %H:%M:%S"), std::to_string(view.status),
                   milliseconds(view.duration), view.agent,
                   pageName(view.site, view.path, severalSites), view.referrer});
    }
    return table.print(width, 4);
}

void writeTotals(JsonWriter& json, const Totals& totals) {
    json.beginObject();
    json.key("people").value(totals.people);
    json.key("bots").value(totals.bots);
    json.key("prefetched").value(totals.prefetched);
    json.key("feeds").value(totals.feeds);
    json.endObject();
}

std::string isoTime(Time time) {
    return format(time, "%Y-%m-%dT%H:%M:%SZ");
}

std::uint64_t micros(std::chrono::microseconds duration) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(duration.count(), 0));
}

void writePages(JsonWriter& json, const Report& report) {
    json.beginArray();
    for (const auto& page : report.pages) {
        json.beginObject();
        json.key("site").value(page.site);
        json.key("path").value(page.path);
        json.key("views").value(page.views);
        json.key("bytes").value(page.bytes);
        json.key("mean_duration_us").value(micros(page.meanDuration));
        json.endObject();
    }
    json.endArray();
}

void writeLastViews(JsonWriter& json, const Report& report) {
    json.beginArray();
    for (const auto& view : report.lastViews) {
        json.beginObject();
        json.key("time").value(isoTime(view.time));
        json.key("site").value(view.site);
        json.key("path").value(view.path);
        json.key("status").value(std::uint64_t{view.status});
        json.key("duration_us").value(micros(view.duration));
        json.key("bytes").value(view.bytes);
        json.key("referrer").value(view.referrer);
        json.key("agent").value(view.agent);
        json.key("verdict").value(nameOf(view.verdict));
        json.endObject();
    }
    json.endArray();
}

void writeSeries(JsonWriter& json, const Report& report) {
    json.beginObject();
    json.key("step_minutes").value(static_cast<std::uint64_t>(report.seriesStep.count() * 15));
    json.key("points").beginArray();
    for (const auto& point : report.series) {
        json.beginObject().key("begin").value(isoTime(point.begin)).key("views");
        writeTotals(json, point.views);
        json.endObject();
    }
    json.endArray().endObject();
}

} // namespace

std::string statsTable(const Report& report, std::size_t width) {
    std::string out = text::concat("Pageviews, ", format(report.now, "%Y-%m-%d %H:%M"), " UTC");
    if (report.since)
        out += text::concat(", counted since ", format(*report.since, "%Y-%m-%d %H:%M"));
    out += "\n\n" + totalsTable(report, width);
    if (report.lost != 0) {
        out += text::concat("\n", report.lost,
                            " views could not be recorded: the database was full or locked.\n");
    }
    const bool severalSites = hasSeveralSites(report);
    if (!report.pages.empty())
        out += "\nMost seen pages\n" + pagesTable(report, width, severalSites);
    if (!report.lastViews.empty())
        out += "\nLast page views\n" + lastViewsTable(report, width, severalSites);
    return out;
}

std::string statsJson(const Report& report) {
    JsonWriter json;
    json.beginObject();
    json.key("now").value(isoTime(report.now)).key("since");
    if (report.since) {
        json.value(isoTime(*report.since));
    } else {
        json.null();
    }
    json.key("today");
    writeTotals(json, report.today);
    json.key("last_24_hours");
    writeTotals(json, report.lastDay);
    json.key("total");
    writeTotals(json, report.all);
    json.key("lost").value(report.lost).key("pages");
    writePages(json, report);
    json.key("last_views");
    writeLastViews(json, report);
    json.key("series");
    writeSeries(json, report);
    json.endObject();
    return json.take() + "\n";
}

} // namespace reef::pageviews
