#pragma once

#include "pageviews/report.h"

#include <cstddef>
#include <string>

namespace reef::pageviews {

/// A report for a terminal of `width` columns: totals, most seen pages, last page views. Times are
/// UTC. Texts from outside are escaped, so that none can steer the terminal. Pure.
std::string statsTable(const Report& report, std::size_t width);

/// The same, and the series, as one JSON document with a line feed at its end. Keys only ever come
/// to it. Times are "2026-11-30T21:15:09Z", durations microseconds. Pure.
std::string statsJson(const Report& report);

} // namespace reef::pageviews
