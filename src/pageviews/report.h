#pragma once

#include "pageviews/database.h"
#include "pageviews/event.h"
#include "pageviews/quarter.h"
#include "pageviews/verdict.h"

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace reef::pageviews {

/// Views by class (verdict.h). `people` is what is meant by "views" everywhere.
struct Totals {
    std::uint64_t people = 0;
    std::uint64_t bots = 0;
    std::uint64_t prefetched = 0;
    std::uint64_t feeds = 0;
};

struct PageRow {
    std::string site; ///< empty for the only one
    std::string path; ///< a key of pathKey()
    std::uint64_t views = 0;
    std::uint64_t bytes = 0;
    std::chrono::microseconds meanDuration{};
};

/// One of the last page views. Texts are what strangers sent, cleaned of controls but not of
/// markup: escape them where they are shown. `referrer` is no address to link to unless the page
/// makes one of it.
struct ViewRow {
    Time time{};
    std::string site;
    std::string path;
    std::string referrer; ///< empty: none, or the site itself
    std::string agent;    ///< name of the browser or bot
    Verdict verdict{};
    std::uint16_t status = 0;
    std::uint64_t bytes = 0;
    std::chrono::microseconds duration{};
};

struct SeriesPoint {
    Time begin{};
    Totals views;
};

struct Report {
    Time now{};
    std::optional<Time> since; ///< the quarter of the first view; none: nothing recorded yet
    Totals today;
    Totals lastDay; ///< the last 24 hours, to the quarter
    Totals all;
    std::uint64_t lost = 0;          ///< views that could not be recorded
    std::vector<PageRow> pages;      ///< most seen first
    std::vector<ViewRow> lastViews;  ///< newest first
    std::vector<SeriesPoint> series; ///< without holes; the last step is not over yet
    Quarters seriesStep{};
};

/// What a report is to cover. Made for a moment, with defaults that may be changed.
struct ReportQuery {
    explicit ReportQuery(Time moment) noexcept;

    Time now;
    Time todayBegins; ///< in the reader's time zone; default: UTC
    Time pagesFrom{}; ///< of the list of pages, to the quarter; default: the beginning
    std::size_t pages = 20;
    std::size_t lastViews = 50;
    Quarters seriesStep{kQuartersPerHour};
    std::size_t seriesSteps = 24; ///< ending with the step that holds `now`
};

/// The read side of the pageview database: its own read-only connection, which neither waits for
/// the writer nor makes it wait. Blocks on the disk: call it in a worker thread, never on an event
/// loop. One thread at a time, but for interrupt().
class ReportReader {
public:
    /// `notFound` when there is no database, or an empty one: nothing was ever recorded.
    /// `unsupported` for another version of the schema. Opening is cheap; a reader kept open
    /// notices no replaced file.
    static Result<std::unique_ptr<ReportReader>> open(const std::string& file);

    /// All numbers are of one moment.
    Result<Report> read(const ReportQuery& query);

    /// Makes a read that runs, and every later one, fail with `timedOut`. Any thread.
    void interrupt() noexcept;

private:
    explicit ReportReader(Database database) noexcept : database_(std::move(database)) {}

    Result<Statement> start(std::string_view sql);
    Status readTotals(Totals& totals, std::int64_t first, std::int64_t end);
    Status readSpan(Report& report);
    Status readPages(Report& report, const ReportQuery& query);
    Status readLastViews(Report& report, const ReportQuery& query);
    Status readSeries(Report& report, const ReportQuery& query);

    Database database_;
    std::atomic<bool> interrupted_{false};
};

/// A range of quarters as whole UTC days and what is left at both ends: [first, end) each.
struct RangeParts {
    struct Part {
        std::int64_t first = 0;
        std::int64_t end = 0;
    };
    Part head; ///< quarters
    Part days; ///< days
    Part tail; ///< quarters
};
RangeParts splitRange(std::int64_t firstQuarter, std::int64_t endQuarter) noexcept;

} // namespace reef::pageviews
