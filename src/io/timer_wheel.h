#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>

namespace reef::io {

class TimerWheel;

/// Something that happens once at a time. In at most one wheel; its destructor takes it out. Arming
/// and disarming cost a few instructions, however many timers there are.
class Timer {
public:
    Timer(const Timer&) = delete;
    Timer& operator=(const Timer&) = delete;

    bool armed() const noexcept { return next_ != nullptr; }
    void disarm() noexcept;

protected:
    Timer() noexcept = default;
    ~Timer() { disarm(); }

    /// The time has come. The timer is disarmed already, may be armed again, and may be destroyed
    /// here.
    virtual void expired() = 0;

private:
    friend class TimerWheel;
    Timer* previous_ = nullptr;
    Timer* next_ = nullptr;
    TimerWheel* wheel_ = nullptr;
    std::uint64_t tick_ = 0;
    std::uint8_t level_ = 0;
    std::uint8_t slot_ = 0;
};

/// A hierarchical timing wheel (Varghese and Lauck, 1987): five levels of 64 slots, one tick a
/// millisecond, 12 days in all; what lies further ahead waits in the outermost level. A pure
/// structure: it is told the time. A timer never fires early, and at most one tick late by itself.
class TimerWheel {
public:
    TimerWheel() noexcept;
    TimerWheel(const TimerWheel&) = delete;
    TimerWheel& operator=(const TimerWheel&) = delete;
    ~TimerWheel();

    /// Milliseconds since the wheel's beginning, as last told to `advance`.
    std::uint64_t now() const noexcept { return now_; }

    /// Arms (or arms anew) so that it fires when `delay` has passed since `now()`.
    void arm(Timer& timer, std::chrono::milliseconds delay) noexcept;

    /// Moves on to `tick` and runs all timers due by then, in order of time.
    void advance(std::uint64_t tick);

    /// The tick at which `advance` has something to do next; nothing when no timer is armed. It may
    /// be earlier than the next timer, when a slot of an outer level must be spread first.
    std::optional<std::uint64_t> next() const noexcept;

private:
    friend class Timer;
    static constexpr unsigned kLevels = 5;
    static constexpr unsigned kBits = 6;
    static constexpr unsigned kSlots = 1U << kBits;

    struct Ends final : Timer {
        void expired() override {}
    };
    struct Level {
        std::uint64_t occupied = 0; ///< a bit per slot that holds a timer
        std::array<Ends, kSlots> slots;
    };
    struct Due {
        unsigned level;
        unsigned slot;
        std::uint64_t tick;
    };

    std::optional<Due> nextDue() const noexcept;
    void insert(Timer& timer) noexcept;
    void unlink(Timer& timer) noexcept;

    std::uint64_t now_ = 0;
    std::array<Level, kLevels> levels_;
};

} // namespace reef::io
