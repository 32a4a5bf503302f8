#pragma once

#include "base/bytes.h"
#include "io/watch.h"

#include <algorithm>
#include <chrono>

namespace reef::io {

/// The least speed at which a peer must take or give bytes, once `grace` of waiting has passed. 0:
/// any speed.
struct LeastRate {
    ByteCount bytesPerSecond = 0;
    Timeout grace = std::chrono::seconds(20);
};

/// Measures one peer over several waits: what moved, and how long we waited for it. Time in which
/// nobody waits for the peer does not count. A plain value; one per direction and message.
class Pace {
public:
    using Duration = std::chrono::steady_clock::duration;

    explicit Pace(LeastRate rate) noexcept : rate_(rate) {}

    void move(std::size_t bytes) noexcept { moved_ += bytes; }
    void wait(Duration duration) noexcept { waited_ += duration; }

    ByteCount moved() const noexcept { return moved_; }

    /// How long the next wait may last: `each` at most, and less when the peer has been slow.
    Timeout allowance(Timeout each) const noexcept {
        if (rate_.bytesPerSecond == 0) return each;
        constexpr ByteCount kEnough = 1'000'000; // seconds
        const ByteCount seconds = std::min(moved_ / rate_.bytesPerSecond, kEnough);
        const ByteCount rest = moved_ % rate_.bytesPerSecond * 1000 / rate_.bytesPerSecond;
        const auto earned = Timeout(static_cast<Timeout::rep>(seconds * 1000 + rest));
        const auto spent = std::chrono::duration_cast<Timeout>(waited_);
        return std::clamp(rate_.grace + earned - spent, Timeout(0), each);
    }

private:
    LeastRate rate_;
    ByteCount moved_ = 0;
    Duration waited_{};
};

} // namespace reef::io
