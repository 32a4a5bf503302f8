#pragma once

#include "admin/html.h"
#include "pageviews/report.h"

#include <span>
#include <string_view>

namespace reef::admin {

/// A span of time that the dashboard can show, ending now.
struct TimeRange {
    std::string_view key;   ///< in the address: "day"
    std::string_view label; ///< on the page: "24 hours"
    Url address;
    pageviews::Quarters step; ///< of the chart: one bar
    std::string_view stepName;
    std::size_t steps;
    std::size_t labelEvery; ///< bars from one label of the axis to the next

    /// What is to be read for it.
    pageviews::ReportQuery query(pageviews::Time now) const;
};

/// All of them, shortest first.
std::span<const TimeRange> timeRanges() noexcept;

/// The range of this key; the shortest for any other text.
const TimeRange& timeRangeNamed(std::string_view key) noexcept;

} // namespace reef::admin
