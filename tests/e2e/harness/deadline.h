#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <thread>

namespace reef::e2e {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using Duration = std::chrono::milliseconds;

/// Limits of time grow by this factor where the binary is slowed down by a sanitizer.
inline constexpr int kSlack = ATOLL_TEST_SLACK;

/// How long anything may take that happens "at once" or "soon": passed only when something is
/// broken, so that a busy machine fails no test.
inline constexpr Duration kPatience = 20s;

/// A moment after which waiting has failed.
class Deadline {
public:
    explicit Deadline(Duration patience = kPatience) : end_(Clock::now() + patience) {}

    bool passed() const { return Clock::now() >= end_; }

    /// What is left, for poll(2): never negative, rounded up.
    int milliseconds() const {
        const auto left = std::chrono::ceil<Duration>(end_ - Clock::now());
        return static_cast<int>(std::max<Duration::rep>(left.count(), 0));
    }

private:
    Clock::time_point end_;
};

class Stopwatch {
public:
    Duration elapsed() const { return std::chrono::duration_cast<Duration>(Clock::now() - began_); }

private:
    Clock::time_point began_ = Clock::now();
};

/// Waits for what no descriptor tells of (a line in a log file, an entry of /proc). False when the
/// time is over.
inline bool eventually(const std::function<bool()>& holds, Duration patience = kPatience) {
    const Deadline deadline(patience);
    while (!holds()) {
        if (deadline.passed()) return false;
        std::this_thread::sleep_for(5ms);
    }
    return true;
}

} // namespace reef::e2e
