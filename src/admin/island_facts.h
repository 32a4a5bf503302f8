#pragma once

#include "base/bytes.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace reef::admin {

/// What is known of an island since the server began. Every text may be hostile.
struct IslandFacts {
    using Time = std::chrono::microseconds;

    std::string name; ///< the URL path that runs it
    std::uint64_t runs = 0;
    std::uint64_t failures = 0;
    Time wallP50{}; ///< from its start to its end
    Time wallP95{};
    Time wallP99{};
    Time cpuP50{};
    Time queueP99{};                 ///< until it was its turn
    ByteCount peakMemory = 0;        ///< of the largest run
    ByteCount bytes = 0;             ///< of all runs
    std::vector<std::string> errors; ///< the last lines of its standard error
};

/// The course of a page that was composed. Times since it began. Every text may be hostile.
struct PageCourse {
    using Time = std::chrono::microseconds;

    /// What one include of it took. A time that is missing has not come.
    struct Part {
        std::string target;
        int depth = 1; ///< 1: in the client's page
        int status = 0;
        std::string source; ///< "cached", "stale", "shared"; "" for what was made for this page
        unsigned attempts = 0;
        bool failed = false;
        bool standsIn = false; ///< something else stands in its place
        ByteCount bytes = 0;
        Time read{};                ///< its directive was performed
        std::optional<Time> starts; ///< its turn has come
        std::optional<Time> firstByte;
        std::optional<Time> ended;
        std::string why;       ///< it failed
        std::string lastError; ///< the last line of its island's standard error
    };

    std::string target; ///< as the client sent it
    std::string host;
    std::chrono::sys_time<std::chrono::milliseconds> when;
    int status = 0; ///< 0: nothing was sent
    ByteCount bytes = 0;
    bool complete = false;    ///< false: the client has left, or it was cut
    std::optional<Time> head; ///< missing: it has not left before the page was complete
    Time took{};
    std::size_t untraced = 0; ///< further parts
    std::vector<Part> parts;  ///< in the order in which they were read
};

/// All that the panel tells of islands.
struct IslandsFacts {
    std::size_t running = 0;
    std::size_t waiting = 0;
    std::uint64_t waited = 0;  ///< since the start: had to wait for their turn
    std::uint64_t refused = 0; ///< since the start
    std::vector<IslandFacts> islands;
    std::vector<PageCourse> pages; ///< the latest first
};

} // namespace reef::admin
