#include "admin/chart.h"

#include "admin/format.h"
#include "base/text.h"

#include <algorithm>
#include <string>

namespace reef::admin {
namespace {

// The drawing's own units; the page stretches it in both directions.
constexpr std::size_t kSlotWidth = 100;
constexpr std::size_t kBarWidth = 72;
constexpr std::uint64_t kHeight = 1000;

/// Something that is there is seen, however small it is.
std::uint64_t barHeight(std::uint64_t views, std::uint64_t top) noexcept {
    if (views == 0) return 0;
    return std::max<std::uint64_t>(views * kHeight / top, 12);
}

bool isWholeDays(const TimeRange& range) noexcept {
    return range.step.count() % pageviews::kQuartersPerDay == 0;
}

std::string titleOf(const pageviews::SeriesPoint& point, const TimeRange& range, bool last) {
    const auto end = point.begin + range.step;
    const std::string when =
        isWholeDays(range) ? format::day(point.begin)
                           : text::concat(format::shortDay(point.begin), ", ",
                                          format::hour(point.begin), " to ", format::hour(end));
    return text::concat(when, last ? " (not over yet)" : "", ": ",
                        format::count(point.views.people), " views, ",
                        format::count(point.views.bots), " by bots");
}

Html barOf(const pageviews::SeriesPoint& point, std::size_t index, std::uint64_t top,
           std::string_view title, bool last) {
    const std::size_t slot = index * kSlotWidth;
    const std::size_t x = slot + (kSlotWidth - kBarWidth) / 2;
    const auto people = std::min(barHeight(point.views.people, top), kHeight);
    const auto bots = std::min(barHeight(point.views.bots, top), kHeight - people);
    return html(
        R"(<g class="{}"><title>{}</title><rect class="reach" x="{}" y="0" width="{}" height="{}"/><rect class="people" x="{}" y="{}" width="{}" height="{}"/><rect class="bots" x="{}" y="{}" width="{}" height="{}"/></g>
)",
        last ? "bar open" : "bar", title, slot, kSlotWidth, kHeight, x, kHeight - people, kBarWidth,
        people, x, kHeight - people - bots, kBarWidth, bots);
}

Html axisOf(const std::vector<pageviews::SeriesPoint>& series, const TimeRange& range) {
    Html labels;
    for (std::size_t i = 0; i < series.size(); i += range.labelEvery) {
        const auto begin = series[i].begin;
        const bool clock = range.step.count() < 24;
        labels += html("<li>{}</li>", clock ? format::hour(begin) : format::shortDay(begin));
    }
    return html(R"(<ol class="axis" aria-hidden="true">{}</ol>)", labels);
}

Html tableOf(const std::vector<pageviews::SeriesPoint>& series, const TimeRange& range) {
    Html rows;
    for (std::size_t i = series.size(); i-- > 0;) {
        const auto& point = series[i];
        const std::string begin = isWholeDays(range)
                                      ? format::day(point.begin)
                                      : format::day(point.begin) + " " + format::hour(point.begin);
        rows += html(
            R"(<tr><th scope="row"><time datetime="{}">{}</time></th><td>{}</td><td>{}</td></tr>
)",
            format::timestamp(point.begin), begin, format::count(point.views.people),
            format::count(point.views.bots));
    }
    return html(R"(<details class="numbers"><summary>The same as a table</summary>
<div class="scroll"><table>
<thead><tr><th scope="col">From (UTC)</th><th scope="col">Views</th><th scope="col">By bots</th></tr></thead>
<tbody>
{}</tbody></table></div></details>)",
                rows);
}

} // namespace

std::uint64_t scaleFor(std::uint64_t value) noexcept {
    std::uint64_t unit = 1;
    for (;;) {
        for (const std::uint64_t factor : {2U, 4U, 6U, 8U, 10U})
            if (factor * unit >= std::max<std::uint64_t>(value, 4)) return factor * unit;
        unit *= 10;
    }
}

Html viewsChart(const std::vector<pageviews::SeriesPoint>& series, const TimeRange& range) {
    std::uint64_t most = 0;
    for (const auto& point : series)
        most = std::max(most, point.views.people + point.views.bots);
    const std::uint64_t top = scaleFor(most);
    Html bars;
    for (std::size_t i = 0; i < series.size(); ++i) {
        const bool last = i + 1 == series.size();
        bars += barOf(series[i], i, top, titleOf(series[i], range, last), last);
    }
    const std::string drawing = text::concat("0 0 ", series.size() * kSlotWidth, ' ', kHeight);
    const std::string label =
        text::concat("Views per ", range.stepName, " over the last ", range.label,
                     ", as bars; the table below has the numbers");
    return html(R"(<div class="plot">
<ol class="scale" aria-hidden="true"><li>{}</li><li>{}</li><li>0</li></ol>
<svg class="bars" viewBox="{}" preserveAspectRatio="none" role="img" aria-label="{}">
<path class="rules" d="M0 0H{}M0 {}H{}" vector-effect="non-scaling-stroke"/>
{}</svg>
{}
</div>
{})",
                format::count(top), format::count(top / 2), drawing, label,
                series.size() * kSlotWidth, kHeight / 2, series.size() * kSlotWidth, bars,
                axisOf(series, range), tableOf(series, range));
}

} // namespace reef::admin
