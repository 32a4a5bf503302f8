#include "admin/islands_page.h"

#include "admin/format.h"
#include "admin/waterfall.h"
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

/// Below the numbers of an island that has failed.
Html lastWords(const IslandFacts& island) {
    if (island.failures == 0) return {};
    Html lines;
    for (const std::string& line : island.errors)
        lines += html("<li><code>{}</code></li>", line);
    if (lines.empty()) lines = html("<li>It wrote nothing to its standard error.</li>");
    return html(R"(<tr class="said"><td colspan="10"><ul aria-label="{}">{}</ul></td></tr>
)",
                "Last lines of standard error", lines);
}

Html islandRow(const IslandFacts& island) {
    Html row = html(R"(<tr>
<td class="where"><bdi class="long" title="{}">{}</bdi></td>
<td class="number" data-label="Runs">{}</td>
<td class="{}" data-label="Failed">{}</td>
<td class="number" data-label="Wall p50">{}</td>
<td class="number" data-label="Wall p95">{}</td>
<td class="number" data-label="Wall p99">{}</td>
<td class="number" data-label="CPU p50">{}</td>
<td class="number" data-label="Queue p99">{}</td>
<td class="number" data-label="Peak memory">{}</td>
<td class="number" data-label="Output">{}</td>
</tr>
)",
                    island.name, island.name, format::count(island.runs),
                    island.failures == 0 ? "number" : "number failed",
                    format::count(island.failures), format::duration(island.wallP50),
                    format::duration(island.wallP95), format::duration(island.wallP99),
                    format::duration(island.cpuP50), format::duration(island.queueP99),
                    format::bytes(island.peakMemory), format::bytes(island.bytes));
    row += lastWords(island);
    return row;
}

Html islandsTable(const std::vector<IslandFacts>& islands) {
    Html rows;
    for (const IslandFacts& island : islands)
        rows += islandRow(island);
    return html(R"(<table class="islands">
<thead><tr><th scope="col">Island</th><th scope="col" class="number">Runs</th><th scope="col" class="number">Failed</th><th scope="col" class="number">Wall p50</th><th scope="col" class="number">p95</th><th scope="col" class="number">p99</th><th scope="col" class="number">CPU p50</th><th scope="col" class="number">Queue p99</th><th scope="col" class="number">Peak memory</th><th scope="col" class="number">Output</th></tr></thead>
<tbody>
{}</tbody></table>)",
                rows);
}

std::size_t partsOf(const PageCourse& page) noexcept {
    return page.parts.size() + page.untraced;
}

bool hasFailed(const PageCourse& page) {
    return std::ranges::any_of(page.parts, &PageCourse::Part::failed);
}

Html slowestPart(const PageCourse& page) {
    const auto slowest = std::ranges::max_element(
        page.parts, {}, [&](const PageCourse::Part& part) { return timeOf(part, page); });
    if (slowest == page.parts.end()) return {};
    return html(
        R"(<span class="slowest">slowest <bdi>{}</bdi> <span class="nowrap">{}</span></span>)",
        slowest->target, format::duration(timeOf(*slowest, page)));
}

Html pageEntry(const PageCourse& page) {
    const std::size_t parts = partsOf(page);
    return html(R"(<details class="page"><summary>
<time datetime="{}">{} {}</time>
<bdi class="where">{}</bdi>
<span class="status">{}</span>
<span class="number">{}</span>
<span class="{}">{} {}</span>
{}
</summary>
{}
</details>
)",
                format::timestamp(page.when), format::shortDay(page.when), format::clock(page.when),
                page.target, page.status == 0 ? std::string("–") : std::to_string(page.status),
                format::duration(page.took), hasFailed(page) ? "count failed" : "count", parts,
                parts == 1 ? "part" : "parts", slowestPart(page), waterfall(page));
}

} // namespace

Html admissionTiles(const IslandsFacts& facts) {
    return html(R"(<dl class="tiles">
{}{}{}{}</dl>
)",
                tile("Running", format::count(facts.running), "at this moment"),
                tile("Waiting", format::count(facts.waiting), "for their turn"),
                tile("Had to wait", format::count(facts.waited), "since the server began"),
                tile("Refused", format::count(facts.refused), "since the server began"));
}

Html islandsSection(std::vector<IslandFacts> islands) {
    std::sort(islands.begin(), islands.end(), [](const IslandFacts& a, const IslandFacts& b) {
        return a.wallP95 != b.wallP95 ? a.wallP95 > b.wallP95 : a.name < b.name;
    });
    const Html body =
        islands.empty()
            ? html(
                  R"(<p class="empty">No island has run since the server began. Put a program into <code>cgi-bin/</code> of the site, make it executable, and open its address: it is counted here as soon as it has ended.</p>)")
            : islandsTable(islands);
    return html(R"(<section class="sheet" aria-labelledby="islands">
<header><h2 id="islands">Islands</h2><p>Slowest first, by p95 of their wall time; since the server began</p></header>
{}
</section>
)",
                body);
}

Html lastPagesSection(const std::vector<PageCourse>& pages) {
    Html body;
    if (pages.empty()) {
        body = html(
            R"(<p class="empty">No page was composed since the server began. A page whose name ends in <code>.shtml</code> is, if it includes something: <code>&lt;!--#include virtual="/cgi-bin/tide.sh" --&gt;</code></p>)");
    } else {
        body = html(
            R"(<ul class="legend"><li class="waiting">waits for its turn</li><li class="working">works</li><li class="content">its content comes</li></ul>
)");
        for (const PageCourse& page : pages)
            body += pageEntry(page);
    }
    return html(R"(<section class="sheet last-pages" aria-labelledby="last-pages">
<header><h2 id="last-pages">Last pages with includes</h2><p>Newest first, times in UTC; of a flood, 20 a second</p></header>
{}
</section>
)",
                body);
}

Html islandsPage(IslandsFacts facts) {
    return html(
        R"(<div class="headline"><h1>Islands</h1><p>The site's programs, and the pages that they have a part in</p></div>
{}{}{})",
        admissionTiles(facts), islandsSection(std::move(facts.islands)),
        lastPagesSection(facts.pages));
}

} // namespace reef::admin
