#include "pageviews/dictionary.h"

#include "pageviews/sql.h"

#include <string>

namespace reef::pageviews {

namespace {

Result<Statement> prepareFor(Database& database, std::string_view sql, std::string_view table) {
    static constexpr std::string_view kPlace = "TABLE";
    std::string text(sql);
    text.replace(text.find(kPlace), kPlace.size(), table);
    return database.prepare(text);
}

} // namespace

Result<Dictionary> Dictionary::open(Database& database, std::string_view table,
                                    std::int64_t newPerDay) {
    Dictionary dictionary(database, newPerDay);
    for (const auto& [statement, sql] : {std::pair{&dictionary.find_, sql::kFindText},
                                         std::pair{&dictionary.insert_, sql::kInsertText},
                                         std::pair{&dictionary.count_, sql::kCountTextsOfDay}}) {
        auto prepared = prepareFor(database, sql, table);
        if (!prepared) return fail(prepared.error());
        *statement = std::move(*prepared);
    }
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
