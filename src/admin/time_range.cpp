#include "admin/time_range.h"

#include <algorithm>

namespace reef::admin {
namespace {

using pageviews::Quarters;

constexpr TimeRange kRanges[] = {
    {"day", "24 hours", "/", Quarters(4), "hour", 24, 3},
    {"week", "7 days", "/?range=week", Quarters(24), "6 hours", 28, 4},
    {"month", "30 days", "/?range=month", Quarters(96), "day", 30, 5},
};

} // namespace

pageviews::ReportQuery TimeRange::query(pageviews::Time now) const {
    pageviews::ReportQuery query(now);
    query.seriesStep = step;
    query.seriesSteps = steps;
    // The list of pages covers what the chart shows: its first bar begins where a step does.
    const auto stepNow = pageviews::quarterOf(now) / step.count();
    query.pagesFrom =
        pageviews::timeOfQuarter((stepNow + 1 - static_cast<std::int64_t>(steps)) * step.count());
    return query;
}

std::span<const TimeRange> timeRanges() noexcept {
    return kRanges;
}

const TimeRange& timeRangeNamed(std::string_view key) noexcept {
    const auto* found = std::ranges::find(kRanges, key, &TimeRange::key);
    return found == std::end(kRanges) ? kRanges[0] : *found;
}

} // namespace reef::admin
