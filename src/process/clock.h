#pragma once

#include <chrono>
#include <optional>

namespace reef::process {

/// The keeper's time.
using Clock = std::chrono::steady_clock;

/// Something to be done at a time, or nothing.
using Deadline = std::optional<Clock::time_point>;

inline Deadline earlier(Deadline a, Deadline b) noexcept {
    if (!a) return b;
    if (!b) return a;
    return *a < *b ? a : b;
}

inline bool due(Deadline deadline, Clock::time_point now) noexcept {
    return deadline && *deadline <= now;
}

} // namespace reef::process
