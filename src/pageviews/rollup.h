#pragma once

#include "pageviews/database.h"
#include "pageviews/verdict.h"

#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace reef::pageviews {

/// What is summed up over views.
struct Sums {
    std::int64_t views = 0;
    std::int64_t bytes = 0;
    std::int64_t micros = 0;

    Sums& operator+=(const Sums& other) noexcept {
        views += other.views;
        bytes += other.bytes;
        micros += other.micros;
        return *this;
    }
};

/// Sums the views of one batch in memory, then adds them to the three tables of sums: a page seen a
/// thousand times in a batch is written once.
class Rollup {
public:
    static Result<Rollup> open(Database& database);

    void add(std::int64_t quarter, std::int64_t site, std::int64_t path, Verdict verdict,
             Sums sums) {
        pages_[Page(quarter, site, path, verdict)] += sums;
    }

    /// Writes the sums, within a transaction. They are kept until clear().
    Status flush();
    void clear() noexcept { pages_.clear(); }

private:
    struct Page {
        std::int64_t quarter;
        std::int64_t site;
        std::int64_t path;
        Verdict verdict;
        friend bool operator==(const Page&, const Page&) = default;
    };
    struct PageHash {
        std::size_t operator()(const Page& page) const noexcept;
    };

    Statement addToPageQuarter_;
    Statement addToPageDay_;
    Statement addToSiteQuarter_;
    std::unordered_map<Page, Sums, PageHash> pages_;
};

} // namespace reef::pageviews
