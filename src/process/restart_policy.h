#pragma once

#include "process/clock.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>

namespace reef::process {

/// When a server that has died is started again: at once, so that nobody notices; but after five
/// deaths within ten seconds one second later, so that a broken server does not eat the machine.
class RestartPolicy {
public:
    static constexpr std::size_t kQuickDeaths = 5;
    static constexpr std::chrono::seconds kWindow{10};
    static constexpr std::chrono::seconds kPause{1};

    /// How long to wait after a death that happened now.
    Clock::duration delayAfterDeath(Clock::time_point now) noexcept {
        deaths_[next_] = now;
        next_ = (next_ + 1) % deaths_.size(); // where the oldest of the last five is
        count_ = std::min(count_ + 1, deaths_.size());
        const bool quick = count_ == deaths_.size() && now - deaths_[next_] <= kWindow;
        return quick ? Clock::duration(kPause) : Clock::duration::zero();
    }

private:
    std::array<Clock::time_point, kQuickDeaths> deaths_{};
    std::size_t next_ = 0;
    std::size_t count_ = 0;
};

} // namespace reef::process
