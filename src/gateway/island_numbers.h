#pragma once

#include "base/bytes.h"
#include "base/log_histogram.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace reef::gateway {

/// One run of an island that has ended. A plain value.
struct IslandRun {
    std::chrono::microseconds queued{}; ///< until it was its turn
    std::chrono::microseconds wall{};   ///< from its start to its end
    std::chrono::microseconds cpu{};    ///< of it and what it waited for
    ByteCount peakMemory = 0;
    ByteCount bytes = 0;             ///< of its output that were taken, with the head
    bool failed = false;             ///< ended by a signal or with a failure, or no answer of use
    std::vector<std::string> errors; ///< the last lines on its standard error
};

/// What is known of an island since the server began. A plain value.
struct IslandReport {
    struct Times {
        std::chrono::microseconds p50{};
        std::chrono::microseconds p95{};
        std::chrono::microseconds p99{};
    };

    std::string file; ///< absolute
    std::string name; ///< the URL path that runs it
    std::uint64_t runs = 0;
    std::uint64_t failures = 0;
    Times queued;
    Times wall;
    Times cpu;
    ByteCount peakMemory = 0; ///< of the largest run
    ByteCount bytes = 0;      ///< of all runs
    std::vector<std::string> errors;
};

/// Counts the runs of islands, of all loops: any thread. At most `kMaxIslands` are known, about
/// 2 KiB each; when there are more, the one that ran longest ago is forgotten.
class IslandNumbers {
public:
    static constexpr std::size_t kMaxIslands = 256;
    static constexpr std::size_t kMaxErrors = 5; ///< last lines kept of each

    /// `file` tells islands apart; `name` is for people.
    void record(std::string_view file, std::string_view name, IslandRun run);

    /// The busiest first: by the time they took in all.
    std::vector<IslandReport> report() const;

private:
    struct Entry {
        std::string name;
        std::uint64_t lastUse = 0;
        std::uint64_t runs = 0;
        std::uint64_t failures = 0;
        std::chrono::microseconds total{};
        LogHistogram queued; ///< all in microseconds
        LogHistogram wall;
        LogHistogram cpu;
        ByteCount peakMemory = 0;
        ByteCount bytes = 0;
        std::vector<std::string> errors;
    };

    Entry& entryOf(std::string_view file);

    mutable std::mutex mutex_;
    std::map<std::string, Entry, std::less<>> islands_; // guarded by mutex_
    std::uint64_t uses_ = 0;
};

} // namespace reef::gateway
