#include "admin/dashboard_page.h"

#include "admin/chart.h"
#include "admin/format.h"
#include "base/text.h"

#include <algorithm>
#include <string>

namespace reef::admin {
namespace {

Html tile(std::string_view label, std::string_view value, std::string_view note) {
    return html(R"(<div class="tile"><dt>{}</dt><dd><b>{}</b><span>{}</span></dd></div>
)",
                label, value, note);
}

std::string besides(const pageviews::Totals& totals) {
    std::string text = text::concat(format::count(totals.bots), " by bots");
    if (totals.feeds != 0) text += text::concat(", ", format::count(totals.feeds), " of feeds");
    return text;
}

/// "example.org/path" where there are several sites, else the path.
std::string addressOf(const std::string& site, const std::string& path) {
    return site.empty() ? path : site + path;
}

Html emptyNote(std::string_view text) {
    return html(R"(<p class="empty">{}</p>)", text);
}

std::string_view classNameOf(pageviews::Verdict verdict) noexcept {
    switch (pageviews::classOf(verdict)) {
    case pageviews::Class::people:
        return "person";
    case pageviews::Class::bots:
        return "bot";
    case pageviews::Class::prefetched:
        return "prefetch";
    case pageviews::Class::feeds:
        return "feed";
    case pageviews::Class::unrecorded:
        break;
    }
    return "other";
}

Html timeCell(pageviews::Time time, pageviews::Time now) {
    using std::chrono::days;
    const bool today = std::chrono::floor<days>(time) == std::chrono::floor<days>(now);
    const std::string shown =
        today ? format::clock(time) : format::shortDay(time) + " " + format::clock(time);
    return html(R"(<time datetime="{}">{}</time>)", format::timestamp(time), shown);
}

Html viewRow(const pageviews::ViewRow& row, pageviews::Time now) {
    const Html referrer = row.referrer.empty()
                              ? html(R"(<span class="none">direct</span>)")
                              : html(R"(<bdi class="long">{}</bdi>)", row.referrer);
    const auto kind = classNameOf(row.verdict);
    return html(R"(<tr>
<td class="when">{}</td>
<td class="where"><bdi class="long">{}</bdi></td>
<td class="status">{}</td>
<td class="time">{}</td>
<td class="from">{}</td>
<td class="who"><span class="kind {}" title="{}">{}</span> <bdi>{}</bdi></td>
</tr>
)",
                timeCell(row.time, now), addressOf(row.site, row.path), row.status,
                format::duration(row.duration), referrer, kind, pageviews::nameOf(row.verdict),
                kind, row.agent);
}

Html pageRow(const pageviews::PageRow& row, std::uint64_t most) {
    const std::uint64_t width = std::max<std::uint64_t>(row.views * 1000 / most, 4);
    return html(R"(<tr>
<td class="where"><bdi class="long">{}</bdi><svg class="share" viewBox="0 0 1000 1" preserveAspectRatio="none" aria-hidden="true"><rect width="{}" height="1"/></svg></td>
<td class="number">{}</td>
<td class="time">{}</td>
</tr>
)",
                addressOf(row.site, row.path), width, format::count(row.views),
                format::duration(row.meanDuration));
}

Html fact(std::string_view name, std::string_view value) {
    return html("<div><dt>{}</dt><dd>{}</dd></div>\n", name, value);
}

Html noticesOf(const Result<pageviews::Report>& report, const ServerFacts& facts) {
    Html notices;
    if (facts.recording == Recording::off)
        notices += html(
            R"(<p class="notice">Pageviews are switched off (<code>pageviews = false</code> in atoll.toml): nothing new is counted.</p>)");
    if (facts.recording == Recording::failing)
        notices += html(
            R"(<p class="notice" role="alert">Pageviews cannot be written at the moment; the site goes on. The server's log says why.</p>)");
    if (report && report->lost != 0)
        notices += html(
            R"(<p class="notice">{} views could not be recorded and are missing from these numbers.</p>)",
            format::count(report->lost));
    if (!report && report.error() != Error::notFound)
        notices += html(
            R"(<p class="notice" role="alert">The record of pageviews cannot be read: {}.</p>)",
            report.error().describe());
    return notices;
}

Html rangeTabs(const TimeRange& shown) {
    Html tabs;
    for (const TimeRange& range : timeRanges())
        tabs += html(R"(<a href="{}" aria-current="{}">{}</a>)", range.address,
                     range.key == shown.key ? "page" : "false", range.label);
    return html(R"(<nav class="tabs" aria-label="Time range">{}</nav>)", tabs);
}

Html headline(const pageviews::Report& report, const TimeRange& range) {
    return html(R"(<div class="headline"><h1>Logbook</h1>
<p>As of <time datetime="{}">{} {}</time> UTC</p>
{}</div>
)",
                format::timestamp(report.now), format::day(report.now), format::hour(report.now),
                rangeTabs(range));
}

Html firstSteps(Recording recording) {
    if (recording == Recording::off)
        return html(R"(<section class="sheet welcome">
<h1>No views are counted</h1>
<p>Counting is switched off for this site. Without <code>pageviews = false</code> in atoll.toml, every page is counted at the moment its answer is sent.</p>
</section>
)");
    return html(R"(<section class="sheet welcome">
<h1>No views yet</h1>
<p>As soon as somebody opens a page of the site, it is counted here: at the moment the answer is sent, without a script or a cookie on the page. Open the site in another tab, then load this page again.</p>
</section>
)");
}

} // namespace

Html totalsSection(const pageviews::Report& report) {
    const auto& day = report.lastDay;
    const std::string since =
        report.since ? "since " + format::day(*report.since) : std::string("nothing recorded yet");
    const std::string botShare = format::share(day.bots, day.people + day.bots);
    return html(
        R"(<dl class="tiles">
{}{}{}{}</dl>
)",
        tile("Views today", format::count(report.today.people), besides(report.today)),
        tile("Last 24 hours", format::count(day.people), besides(day)),
        tile("All views", format::count(report.all.people), since),
        tile("Bots, last 24 hours", botShare,
             text::concat(format::count(day.bots), " of ", format::count(day.people + day.bots))));
}

Html chartSection(const pageviews::Report& report, const TimeRange& range) {
    return html(R"(<section class="sheet chart" aria-labelledby="chart">
<header><h2 id="chart">Views per {}</h2>
<ul class="legend"><li class="people">people</li><li class="bots">bots</li></ul></header>
{}
</section>
)",
                range.stepName, viewsChart(report.series, range));
}

Html pagesSection(const pageviews::Report& report, const TimeRange& range) {
    Html body;
    if (report.pages.empty()) {
        body = emptyNote("No page was seen in this time.");
    } else {
        Html rows;
        for (const auto& row : report.pages)
            rows += pageRow(row, report.pages.front().views);
        body = html(R"(<table class="pages">
<thead><tr><th scope="col">Page</th><th scope="col" class="number">Views</th><th scope="col" class="time">Mean time</th></tr></thead>
<tbody>
{}</tbody></table>)",
                    rows);
    }
    return html(R"(<section class="sheet" aria-labelledby="pages">
<header><h2 id="pages">Top pages</h2><p>{}, without bots</p></header>
{}
</section>
)",
                range.label, body);
}

Html lastViewsSection(const pageviews::Report& report) {
    Html body;
    if (report.lastViews.empty()) {
        body = emptyNote("No view was recorded yet.");
    } else {
        Html rows;
        for (const auto& row : report.lastViews)
            rows += viewRow(row, report.now);
        body = html(R"(<table class="last-views">
<thead><tr><th scope="col">Time (UTC)</th><th scope="col">Page</th><th scope="col">Status</th><th scope="col">Took</th><th scope="col">Came from</th><th scope="col">Visitor</th></tr></thead>
<tbody>
{}</tbody></table>)",
                    rows);
    }
    return html(R"(<section class="sheet" aria-labelledby="last-views">
<header><h2 id="last-views">Last page views</h2><p>Newest first; a view shows a quarter of a second after its answer</p></header>
{}
</section>
)",
                body);
}

Html serverSection(const ServerFacts& facts) {
    Html list = fact("Version", facts.version);
    list += fact("Running for", format::span(facts.uptime));
    for (const std::string& address : facts.addresses)
        list += fact("Site", address);
    if (!facts.directory.empty()) list += fact("Directory", facts.directory);
    if (facts.residentBytes) list += fact("Memory", format::bytes(*facts.residentBytes));
    if (facts.databaseBytes) list += fact("Record on disk", format::bytes(*facts.databaseBytes));
    return html(R"(<section class="sheet" aria-labelledby="server">
<header><h2 id="server">Server</h2></header>
<dl class="facts">
{}</dl>
</section>
)",
                list);
}

Html dashboardPage(const Result<pageviews::Report>& report, const ServerFacts& facts,
                   const TimeRange& range) {
    const Html notices = noticesOf(report, facts);
    const bool nothingYet = report ? !report->since : report.error() == Error::notFound;
    if (nothingYet)
        return html(R"({}<div class="columns first">{}{}</div>)", notices,
                    firstSteps(facts.recording), serverSection(facts));
    if (!report)
        return html(R"(<div class="headline"><h1>Logbook</h1></div>
{}{})",
                    notices, serverSection(facts));
    return html(R"({}{}{}{}<div class="columns">{}{}</div>
{})",
                headline(*report, range), notices, totalsSection(*report),
                chartSection(*report, range), pagesSection(*report, range), serverSection(facts),
                lastViewsSection(*report));
}

} // namespace reef::admin
