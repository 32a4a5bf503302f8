#pragma once

#include "pageviews/database.h"

#include <string_view>

namespace reef::pageviews {

/// One lookup table of the database: texts to small numbers, made as they are first seen. At most
/// `newPerDay` texts are new in one UTC day, over all sites; those beyond are one text, "(other)",
/// so that a scanner's endless paths cannot fill the disk (rule R8). Texts seen before keep their
/// own number.
class Dictionary {
public:
    /// `table` is one of the schema's lookup tables. The database must outlive it.
    static Result<Dictionary> open(Database& database, std::string_view table,
                                   std::int64_t newPerDay);

    /// The number of `text`, within a transaction. `day` is the UTC day of the view.
    Result<std::int64_t> idOf(std::int64_t site, std::string_view text, std::int64_t day);

    /// Forget what was counted, after a rollback.
    void forget() noexcept { countedDay_ = kNoDay; }

    static constexpr std::string_view kOther = "(other)";

private:
    static constexpr std::int64_t kNoDay = -1;

    explicit Dictionary(Database& database, std::int64_t newPerDay) noexcept
        : database_(&database), newPerDay_(newPerDay) {}

    Result<std::int64_t> insert(std::int64_t site, std::string_view text, std::int64_t day);
    Status count(std::int64_t day);

    Database* database_;
    std::int64_t newPerDay_;
    std::int64_t newToday_ = 0;
    std::int64_t countedDay_ = kNoDay;
    Statement find_;
    Statement insert_;
    Statement count_;
};

} // namespace reef::pageviews
