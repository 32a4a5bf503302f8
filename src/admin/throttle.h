#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>

namespace reef::admin {

/// What a key may do before it has to wait.
struct ThrottleLimits {
    unsigned freeFailures = 5;
    std::chrono::seconds first{1};     ///< the wait after the failure that follows, then doubled
    std::chrono::seconds longest{60};  ///< so that an attack cannot lock the owner out for long
    std::chrono::seconds memory{3600}; ///< without a failure for so long: forgotten
    std::size_t keys = 1024;           ///< one more forgets the key with the fewest failures
};

/// Slows guessing down: each failure of a key (a name, an address) doubles the time it must wait
/// before the next attempt. An attempt counts as a failure until it is forgiven, so that many at
/// the same time gain nothing. For one loop.
class Throttle {
public:
    using Time = std::chrono::steady_clock::time_point;

    explicit Throttle(ThrottleLimits limits = {}) : limits_(limits) {}

    /// How long this key must still wait; zero: an attempt may be made now.
    std::chrono::seconds waitFor(std::string_view key, Time now) const;

    /// An attempt was made.
    void count(std::string_view key, Time now);

    /// It succeeded: the key's failures are forgotten.
    void forgive(std::string_view key);

    std::size_t size() const noexcept { return entries_.size(); }

private:
    struct Entry {
        unsigned failures = 0;
        Time last;
        Time blockedUntil;
    };
    void makeRoom(Time now);

    ThrottleLimits limits_;
    std::unordered_map<std::string, Entry> entries_;
};

/// The key of a client's address: an IPv6 address by its /64, which one subscriber has whole.
std::string addressKey(std::string_view address);

} // namespace reef::admin
