#include "pageviews/dictionary.h"

#include "pageviews/sql.h"

#include <string>

namespace reef::pageviews {

namespace {

/// The statement for one of the lookup tables, which all have one shape.
std::string forTable(std::string_view sql, std::string_view table) {
    static constexpr std::string_view kPlace = "TABLE";
    return std::string(sql).replace(sql.find(kPlace), kPlace.size(), table);
}

} // namespace

Result<Dictionary> Dictionary::open(Database& database, std::string_view table,
                                    std::int64_t newPerDay) {
    Dictionary dictionary(database, newPerDay);
    const auto prepared =
        database.prepareInto({{&dictionary.find_, forTable(sql::kFindText, table)},
                              {&dictionary.insert_, forTable(sql::kInsertText, table)},
                              {&dictionary.count_, forTable(sql::kCountTextsOfDay, table)}});
    if (!prepared) return fail(prepared.error());
    return dictionary;
}

Result<std::int64_t> Dictionary::idOf(std::int64_t site, std::string_view text, std::int64_t day) {
    if (auto bound = find_.bind(site, text); !bound) return fail(bound.error());
    const auto found = find_.step();
    if (!found) return fail(found.error());
    if (*found) {
        const std::int64_t id = find_.integer(0);
        find_.restart();
        return id;
    }
    if (auto counted = count(day); !counted) return fail(counted.error());
    if (newToday_ >= newPerDay_ && text != kOther) return idOf(site, kOther, day);
    return insert(site, text, day);
}

Result<std::int64_t> Dictionary::insert(std::int64_t site, std::string_view text,
                                        std::int64_t day) {
    if (auto done = insert_.run(site, text, day); !done) return fail(done.error());
    ++newToday_;
    return database_->lastId();
}

Status Dictionary::count(std::int64_t day) {
    if (day == countedDay_) return {};
    if (auto bound = count_.bind(day); !bound) return bound;
    const auto row = count_.step();
    if (!row) return fail(row.error());
    newToday_ = count_.integer(0);
    count_.restart();
    countedDay_ = day;
    return {};
}

} // namespace reef::pageviews
