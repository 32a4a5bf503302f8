#pragma once

#include "base/fd.h"
#include "coro/ready_queue.h"
#include "coro/scope.h"
#include "io/timer_wheel.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

namespace reef::io {

class Watch;

/// An event loop: one thread, one epoll instance. It resumes tasks, and nothing else does; other
/// threads post functions to it. A turn: wait for descriptors, resume who waits for them, run due
/// timers, run what is ready.
///
/// The loop must outlive every Watch, timer and task made on it; `tasks()` is dropped first.
class Loop {
public:
    /// Throws std::system_error when the kernel gives no epoll or event descriptor (cannot start).
    Loop();
    ~Loop();
    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;

    /// Runs until `stop()`. Call it on the thread that constructed the loop.
    void run();

    /// Ends `run` after the current turn. From any thread.
    void stop();

    /// Runs `work` on the loop's thread at one of its next turns, in order. From any thread. What
    /// is posted after the loop has ended is destroyed unrun.
    void post(std::move_only_function<void()> work);

    /// Tasks that live as long as the loop: listeners, signal handling, the keeper's client.
    coro::Scope& tasks() noexcept { return tasks_; }

    /// Arms a timer by the clock as it was read at the beginning of this turn: cheap, and early by
    /// as much as the turn has lasted. For the timeouts of waits.
    void arm(Timer& timer, std::chrono::milliseconds delay) noexcept {
        timers_.arm(timer, delay + behind(now_));
    }

    /// Arms a timer so that it never fires early.
    void armExactly(Timer& timer, std::chrono::milliseconds delay) noexcept;

    /// The steady clock as read at the beginning of this turn.
    std::chrono::steady_clock::time_point now() const noexcept { return now_; }

    /// Turns begun so far: what is worth asking once a turn remembers the number.
    std::uint64_t turns() const noexcept { return turns_; }

    /// One turn; waits at most until something happens. For tests that drive the loop by hand.
    void turn();

private:
    friend class Watch;
    std::chrono::milliseconds behind(std::chrono::steady_clock::time_point now) const noexcept;
    struct Slot {
        Watch* watch = nullptr;
        std::uint32_t generation = 0;
        std::uint32_t nextFree = 0;
    };

    std::uint64_t addWatch(Watch& watch, int descriptor);
    void removeWatch(std::uint64_t key) noexcept;
    Watch* watchOf(std::uint64_t key) const noexcept;

    void readClock() noexcept;
    int waitMilliseconds() const noexcept;
    void runPosted();
    void dispatch(std::uint64_t key, std::uint32_t events);

    Fd epoll_;
    Fd wake_; ///< eventfd that ends the wait when something was posted
    std::chrono::steady_clock::time_point began_;
    std::chrono::steady_clock::time_point now_;
    coro::ReadyQueue ready_;
    TimerWheel timers_;
    std::vector<Slot> slots_;
    std::uint32_t freeSlot_;
    std::uint64_t turns_ = 0;
    bool stopping_ = false;

    std::mutex postedMutex_;
    std::vector<std::move_only_function<void()>> posted_; // guarded by postedMutex_

    coro::Scope tasks_; // last member: its tasks go first
};

} // namespace reef::io
