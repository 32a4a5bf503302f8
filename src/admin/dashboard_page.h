#pragma once

#include "admin/html.h"
#include "admin/panel_data.h"
#include "admin/time_range.h"
#include "base/result.h"
#include "pageviews/report.h"

namespace reef::admin {

/// The content of the dashboard. Pure: what was read goes in, markup comes out. A report that could
/// not be read leaves its place to a sentence that says so; `notFound` means that nothing was
/// recorded yet.
Html dashboardPage(const Result<pageviews::Report>& report, const ServerFacts& facts,
                   const TimeRange& range);

// Its parts, each a section of the page.
Html totalsSection(const pageviews::Report& report);
Html chartSection(const pageviews::Report& report, const TimeRange& range);
Html pagesSection(const pageviews::Report& report, const TimeRange& range);
Html lastViewsSection(const pageviews::Report& report);
Html serverSection(const ServerFacts& facts);

} // namespace reef::admin
