#pragma once

#include "pageviews/bounded_cache.h"
#include "pageviews/classify.h"
#include "pageviews/database.h"
#include "pageviews/dictionary.h"
#include "pageviews/event.h"
#include "pageviews/rollup.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace reef::pageviews {

/// How much is kept.
struct StoreOptions {
    /// Single views kept for the list of the last page views; sums are kept for ever. About 35
    /// bytes each.
    std::int64_t recentViews = 100'000;
    /// Of one second, so many are kept singly, the first ones. Nobody reads a flood line by line,
    /// and writing each view takes as long as a third of an answer from memory. The sums count all.
    std::int64_t recentPerSecond = 5'000;
    /// New texts per UTC day, the rest is "(other)": see Dictionary.
    std::int64_t pathsPerDay = 5'000;
    std::int64_t referrersPerDay = 1'000;
    std::int64_t agentsPerDay = 200;
    std::int64_t sitesPerDay = 100;
    /// Query parameters that make a page of its own; all others are ignored.
    std::vector<std::string> keptParameters;
    /// How long a write waits for another program's lock.
    std::chrono::milliseconds busyTimeout{500};
};

/// Renames a broken database, with its log files, to `<file>.corrupt-<time>`, and says so in the
/// error log. They are kept: someone may want to rescue them. No connection to it may be open here.
Status setAside(const std::string& file);

/// The write side of the pageview database (schema: sql.h). One connection, one thread. Views are
/// added in batches: begin, add …, commit; a batch is written whole or not at all. Failures: see
/// Database.
class Store {
public:
    /// Opens or makes the database. A file that is none, or a visibly broken one, is set aside, and
    /// a fresh one begun.
    static Result<std::unique_ptr<Store>> open(const std::string& file,
                                               const StoreOptions& options);

    Status begin();

    /// Classifies the event and adds what is worth recording.
    Status add(const Event& event);

    /// Notes how many views could not be recorded, for the reports to say.
    Status addLosses(Time when, std::uint64_t views);

    /// Writes sums and ends the batch. After a failure, call rollback().
    Status commit();

    /// Takes the batch back.
    void rollback() noexcept;

    /// False once the file has been removed or replaced: then open a new store.
    bool isInPlace() const noexcept;

    /// SQLite's words for the last failure.
    std::string lastMessage() const { return database_.lastMessage(); }

private:
    struct Statements {
        Statement insertRecent;
        Statement trimRecent;
        Statement addToLosses;
    };
    struct KnownAgent {
        Verdict verdict;
        std::int64_t id;
    };

    Store(Database database, const std::string& file, const StoreOptions& options);
    static Result<std::unique_ptr<Store>> openOnce(const std::string& file,
                                                   const StoreOptions& options);
    Status prepare();
    bool isKeptSingly(Time time) noexcept;
    void startDay(std::int64_t day) noexcept;
    void forget() noexcept;

    Result<KnownAgent> agent(std::string_view userAgent);
    Result<std::int64_t> site(std::string_view name);
    Result<std::int64_t> path(std::int64_t site, const Event& event);
    Result<std::int64_t> referrer(const Event& event);

    Database database_;
    std::string file_;
    StoreOptions options_;
    std::uint64_t inode_ = 0;

    Statements statements_;
    std::optional<Dictionary> sites_;
    std::optional<Dictionary> paths_;
    std::optional<Dictionary> referrers_;
    std::optional<Dictionary> agents_;
    std::optional<Rollup> rollup_;
    std::optional<Transaction> transaction_;
    std::int64_t second_ = -1; ///< of the views counted in singles_
    std::int64_t singles_ = 0;

    // Raw texts to numbers: normalising and looking up happen once per text, not once per view.
    std::int64_t day_ = -1;
    std::string key_;
    BoundedCache<KnownAgent> knownAgents_;
    BoundedCache<std::int64_t> knownSites_;
    BoundedCache<std::int64_t> knownPaths_;
    BoundedCache<std::int64_t> knownReferrers_;
};

} // namespace reef::pageviews
