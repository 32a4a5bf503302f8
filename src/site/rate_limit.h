#pragma once

#include "io/network.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>

namespace reef::site {

/// How many requests a client may make: `count` in each `period` on average, and `burst` at once. A
/// burst that takes more than six days to come back counts as one that takes six.
struct Rate {
    std::uint32_t count = 10;
    std::chrono::milliseconds period = std::chrono::seconds(1);
    std::uint32_t burst = 10;
};

/// Counts clients' requests against a rate, for all loops of a server: the generic cell rate
/// algorithm, one 64-bit cell a client in a table of fixed size, without locks. A client is what
/// `customerOf` says.
///
/// When more clients come at once than the table has cells, those that have the most left give way:
/// a limit then errs to the client's side.
class RateLimit {
public:
    using Clock = std::chrono::steady_clock;

    static constexpr std::size_t kCells = 16'384; ///< 128 KiB

    /// `cells`: 8 bytes each, at least 16.
    explicit RateLimit(Rate rate, std::size_t cells = kCells);

    /// Counts a request at `now`. Nothing: it may go on. Else: how long until the next one may.
    std::optional<std::chrono::milliseconds> admit(const io::HostBits& client,
                                                   Clock::time_point now);

    const Rate& rate() const noexcept { return rate_; }

private:
    /// Time at which the client has its whole burst again, in microseconds since the table was made
    /// (40 bits, 12 days; then the table begins anew), under a tag of the client (24 bits, never
    /// 0).
    using Cell = std::atomic<std::uint64_t>;

    std::uint64_t hashOf(const io::HostBits& client) const noexcept;
    Cell& cellOf(std::uint64_t hash, std::uint64_t now) noexcept;

    Rate rate_;
    std::uint64_t interval_;  ///< between two requests at the rate, in microseconds
    std::uint64_t tolerance_; ///< how far ahead of the rate a burst may be
    std::uint64_t key_;       ///< random, so that nobody can choose colliding addresses
    Clock::time_point epoch_ = Clock::now();
    std::size_t cellCount_;
    std::unique_ptr<Cell[]> cells_;
};

} // namespace reef::site
