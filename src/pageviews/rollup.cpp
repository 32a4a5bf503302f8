#include "pageviews/rollup.h"

#include "pageviews/quarter.h"
#include "pageviews/sql.h"

#include <map>
#include <tuple>

namespace reef::pageviews {

namespace {

/// Period, page or site, verdict: the key of a table, in its order, so that rows are written as
/// they lie.
using Key = std::tuple<std::int64_t, std::int64_t, Verdict>;

Status addAll(Statement& statement, const std::map<Key, Sums>& rows) {
    for (const auto& [key, sums] : rows) {
        const auto& [period, subject, verdict] = key;
        const auto added = statement.run(period, subject, static_cast<std::int64_t>(verdict),
                                         sums.views, sums.bytes, sums.micros);
        if (!added) return added;
    }
    return {};
}

} // namespace

std::size_t Rollup::PageHash::operator()(const Page& page) const noexcept {
    auto hash = static_cast<std::uint64_t>(page.path) * 0x9e3779b97f4a7c15U;
    hash ^= static_cast<std::uint64_t>(page.quarter) * 0xc2b2ae3d27d4eb4fU;
    hash ^= static_cast<std::uint64_t>(page.verdict) * 0x165667b19e3779f9U;
    return hash ^ (hash >> 29U); // a path belongs to one site
}

Result<Rollup> Rollup::open(Database& database) {
    Rollup rollup;
    const auto prepared =
        database.prepareInto({{&rollup.addToPageQuarter_, sql::kAddToPageQuarter},
                              {&rollup.addToPageDay_, sql::kAddToPageDay},
                              {&rollup.addToSiteQuarter_, sql::kAddToSiteQuarter}});
    if (!prepared) return fail(prepared.error());
    return rollup;
}

Status Rollup::flush() {
    std::map<Key, Sums> pageQuarters;
    std::map<Key, Sums> pageDays;
    std::map<Key, Sums> siteQuarters;
    for (const auto& [page, sums] : pages_) {
        pageQuarters[Key(page.quarter, page.path, page.verdict)] += sums;
        pageDays[Key(dayOfQuarter(page.quarter), page.path, page.verdict)] += sums;
        siteQuarters[Key(page.quarter, page.site, page.verdict)] += sums;
    }
    if (auto done = addAll(addToPageQuarter_, pageQuarters); !done) return done;
    if (auto done = addAll(addToPageDay_, pageDays); !done) return done;
    return addAll(addToSiteQuarter_, siteQuarters);
}

} // namespace reef::pageviews
