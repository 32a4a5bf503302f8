#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
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

/// As a message holds it: within its 32 bits, never negative.
inline std::uint32_t millisecondsOf(std::chrono::milliseconds duration) noexcept {
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(duration.count(), 0, UINT32_MAX));
}

} // namespace reef::process
