#pragma once

#include "admin/html.h"
#include "admin/time_range.h"
#include "pageviews/report.h"

#include <cstdint>
#include <vector>

namespace reef::admin {

/// The top of a chart's scale: an even digit, or ten, times a power of ten; at least `value` and at
/// least 4. Its half is a whole number.
std::uint64_t scaleFor(std::uint64_t value) noexcept;

/// Views over time as bars, people below and bots on top: an SVG without script or style that
/// stretches to its place, so its labels are HTML beside it. Each bar says its numbers in a title;
/// a table with all of them follows for those who cannot see it. The last bar is marked as not
/// over.
Html viewsChart(const std::vector<pageviews::SeriesPoint>& series, const TimeRange& range);

} // namespace reef::admin
