#include "pageviews/report.h"

#include "pageviews/sql.h"

#include <iterator>

namespace reef::pageviews {

namespace {

constexpr std::chrono::milliseconds kBusyTimeout{2'000};
constexpr std::int64_t kForever = std::int64_t{1} << 60U;

void addTo(Totals& totals, std::int64_t verdict, std::int64_t views) noexcept {
    const auto count = static_cast<std::uint64_t>(views);
    switch (classOf(static_cast<Verdict>(verdict))) {
    case Class::people:
        totals.people += count;
        break;
    case Class::bots:
        totals.bots += count;
        break;
    case Class::prefetched:
        totals.prefetched += count;
        break;
    case Class::feeds:
        totals.feeds += count;
        break;
    case Class::unrecorded:
        break;
    }
}

/// Calls `row` for each row of a bound statement.
template<class Row>
Status forEachRow(Statement& statement, Row row) {
    for (;;) {
        const auto more = statement.step();
        if (!more) return fail(more.error());
        if (!*more) return {};
        row();
    }
}

std::uint64_t count(const Statement& statement, int column) noexcept {
    return static_cast<std::uint64_t>(statement.integer(column));
}

} // namespace

ReportQuery::ReportQuery(Time moment) noexcept
    : now(moment), todayBegins(std::chrono::floor<std::chrono::days>(moment)) {}

RangeParts splitRange(std::int64_t firstQuarter, std::int64_t endQuarter) noexcept {
    const std::int64_t firstDay = (firstQuarter + kQuartersPerDay - 1) / kQuartersPerDay;
    const std::int64_t endDay = endQuarter / kQuartersPerDay;
    if (firstDay >= endDay) return {{firstQuarter, endQuarter}, {}, {}};
    return {{firstQuarter, firstDay * kQuartersPerDay},
            {firstDay, endDay},
            {endDay * kQuartersPerDay, endQuarter}};
}

Result<std::unique_ptr<ReportReader>> ReportReader::open(const std::string& file) {
    auto database = Database::open(file, Access::readOnly, kBusyTimeout);
    if (!database) return fail(database.error());
    const auto version = database->integer("PRAGMA user_version");
    if (!version) return fail(version.error());
    if (*version == 0) return fail(Error::notFound); // the writer is about to make it
    if (*version != static_cast<std::int64_t>(std::size(sql::kMigrations)))
        return fail(Error::unsupported);
    return std::unique_ptr<ReportReader>(new ReportReader(std::move(*database)));
}

void ReportReader::interrupt() noexcept {
    interrupted_.store(true); // for the statement that is not running yet
    database_.interrupt();
}

Result<Statement> ReportReader::start(std::string_view sql) {
    if (interrupted_.load()) return fail(Error::timedOut);
    return database_.prepare(sql);
}

Result<Report> ReportReader::read(const ReportQuery& query) {
    auto snapshot = Transaction::begin(database_, Transaction::Kind::read);
    if (!snapshot) return fail(snapshot.error());
    Report report;
    report.now = query.now;
    const std::int64_t next = quarterOf(query.now) + 1;
    const std::int64_t today = quarterOf(query.todayBegins);
    Status done = readTotals(report.all, 0, kForever);
    if (done) done = readTotals(report.today, today, next);
    if (done) done = readTotals(report.lastDay, next - kQuartersPerDay, next);
    if (done) done = readSpan(report);
    if (done) done = readPages(report, query);
    if (done) done = readLastViews(report, query);
    if (done) done = readSeries(report, query);
    if (!done) return fail(done.error());
    return report;
}

Status ReportReader::readTotals(Totals& totals, std::int64_t first, std::int64_t end) {
    auto statement = start(sql::kTotals);
    if (!statement) return fail(statement.error());
    if (auto bound = statement->bind(first, end); !bound) return bound;
    return forEachRow(*statement,
                      [&] { addTo(totals, statement->integer(0), statement->integer(1)); });
}

Status ReportReader::readSpan(Report& report) {
    auto first = start(sql::kSpan);
    if (!first) return fail(first.error());
    return forEachRow(*first, [&] {
        if (!first->isNull(0)) report.since = timeOfQuarter(first->integer(0));
        report.lost = count(*first, 1);
    });
}

Status ReportReader::readPages(Report& report, const ReportQuery& query) {
    auto statement = start(sql::kTopPages);
    if (!statement) return fail(statement.error());
    const auto parts = splitRange(quarterOf(query.pagesFrom), quarterOf(query.now) + 1);
    const auto bound =
        statement->bind(parts.days.first, parts.days.end, parts.head.first, parts.head.end,
                        parts.tail.first, parts.tail.end, static_cast<std::int64_t>(query.pages));
    if (!bound) return bound;
    return forEachRow(*statement, [&] {
        auto& row = report.pages.emplace_back();
        row.site = statement->text(0);
        row.path = statement->text(1);
        row.views = count(*statement, 2);
        row.bytes = count(*statement, 3);
        row.meanDuration = std::chrono::microseconds(statement->integer(4) / statement->integer(2));
    });
}

Status ReportReader::readLastViews(Report& report, const ReportQuery& query) {
    auto statement = start(sql::kRecent);
    if (!statement) return fail(statement.error());
    if (auto bound = statement->bind(static_cast<std::int64_t>(query.lastViews)); !bound)
        return bound;
    return forEachRow(*statement, [&] {
        auto& row = report.lastViews.emplace_back();
        row.time = Time(std::chrono::milliseconds(statement->integer(0)));
        row.site = statement->text(1);
        row.path = statement->text(2);
        row.referrer = statement->text(3);
        row.agent = statement->text(4);
        row.verdict = static_cast<Verdict>(statement->integer(5));
        row.status = static_cast<std::uint16_t>(statement->integer(6));
        row.bytes = count(*statement, 7);
        row.duration = std::chrono::microseconds(statement->integer(8));
    });
}

Status ReportReader::readSeries(Report& report, const ReportQuery& query) {
    const std::int64_t step = query.seriesStep.count();
    const auto steps = static_cast<std::int64_t>(query.seriesSteps);
    const std::int64_t end = (quarterOf(query.now) / step + 1) * step;
    const std::int64_t first = end - steps * step;
    report.seriesStep = query.seriesStep;
    for (std::int64_t i = 0; i < steps; ++i)
        report.series.emplace_back(timeOfQuarter(first + i * step), Totals());

    auto statement = start(sql::kSeries);
    if (!statement) return fail(statement.error());
    if (auto bound = statement->bind(first, end, step); !bound) return bound;
    return forEachRow(*statement, [&] {
        auto& point = report.series[static_cast<std::size_t>(statement->integer(0))];
        addTo(point.views, statement->integer(1), statement->integer(2));
    });
}

} // namespace reef::pageviews
