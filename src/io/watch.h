#pragma once

#include "base/fd.h"
#include "io/loop.h"
#include "io/timer_wheel.h"

#include <array>
#include <chrono>
#include <coroutine>
#include <cstdint>

namespace reef::io {

/// How long a wait may last. `kNever` waits for ever.
using Timeout = std::chrono::milliseconds;
inline constexpr Timeout kNever = Timeout::max();

class IoAwaiter;

/// A descriptor registered with a loop, once, edge-triggered, for its whole life. It remembers what
/// the kernel said: `mayRead` and `mayWrite` stay true until a call came back empty-handed, so that
/// a system call is made only where it may get something. Not movable: waiters point to it.
class Watch {
public:
    enum class Wait : std::uint8_t { read, write, hangup };

    /// The other end of a description shared with another process needs an explicit removal from
    /// epoll.
    enum class Shared : std::uint8_t { no, yes };

    /// Takes the descriptor, which must be non-blocking. Throws std::system_error when epoll
    /// refuses it.
    Watch(Loop& loop, Fd descriptor, Shared shared = Shared::no);
    ~Watch();
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    Loop& loop() const noexcept { return loop_; }
    int descriptor() const noexcept { return descriptor_.get(); }

    bool mayRead() const noexcept { return readable_; }
    bool mayWrite() const noexcept { return writable_; }

    /// Whether the peer has closed its sending side, and whether the connection is broken in both
    /// directions.
    bool peerFinished() const noexcept { return peerFinished_; }
    bool broken() const noexcept { return broken_; }

    /// A read came back with EAGAIN, or with less than was asked for: no more until the next event.
    /// Once the peer has finished there will be no further event, so then reading stays worth a
    /// try.
    void readDrained() noexcept { readable_ = peerFinished_ || broken_; }
    void writeFilled() noexcept { writable_ = broken_; }

private:
    friend class Loop;
    friend class IoAwaiter;

    void note(std::uint32_t events) noexcept;
    void resumeWaiters(Wait kind);

    struct Link {
        Link* previous = nullptr;
        Link* next = nullptr;
        void unlink() noexcept;
    };
    struct List : Link {
        List() noexcept { previous = next = this; }
        bool empty() const noexcept { return next == this; }
        void append(Link& link) noexcept;
        void takeAll(List& other) noexcept;
    };

    Loop& loop_;
    Fd descriptor_;
    std::uint64_t key_;
    std::array<List, 3> waiters_;
    Shared shared_;
    bool readable_ = true;
    bool writable_ = true;
    bool peerFinished_ = false;
    bool broken_ = false;
};

/// The leaf of every wait for a descriptor: tries in `await_ready`, and again at each event, and
/// resumes the coroutine only when there is an outcome. Lives in the waiting frame; dropping the
/// frame ends the wait.
class IoAwaiter : private Watch::Link, private Timer {
public:
    IoAwaiter(const IoAwaiter&) = delete;
    IoAwaiter& operator=(const IoAwaiter&) = delete;

    bool await_ready() {
        step_ = attempt();
        return step_ == Step::done;
    }
    void await_suspend(std::coroutine_handle<> waiter);

protected:
    enum class Step : std::uint8_t { done, wantsRead, wantsWrite, wantsHangup };

    IoAwaiter(Watch& watch, Timeout timeout) noexcept : watch_(watch), timeout_(timeout) {}
    ~IoAwaiter() { unlink(); }

    /// Makes the system call. `done` when the outcome is known, else what to wait for.
    virtual Step attempt() = 0;

    /// The timeout has passed: becomes the outcome.
    virtual void timedOut() noexcept = 0;

    /// Gives a wait that makes progress its whole timeout again. Nothing before the first
    /// suspension.
    void restartTimeoutIfArmed() noexcept {
        if (armed()) armTimeout();
    }

    /// The same, with another timeout from now on.
    void restartTimeoutIfArmed(Timeout timeout) noexcept {
        timeout_ = timeout;
        restartTimeoutIfArmed();
    }

    /// Ends the wait without an outcome: the coroutine is resumed by other means.
    void cancel() noexcept {
        unlink();
        disarm();
    }

    Watch& watch() const noexcept { return watch_; }

    Step step_ = Step::done; ///< what the attempt before a suspension said

private:
    friend class Watch;
    void park(Step step);
    void armTimeout() noexcept;
    void expired() override;
    void resume();

    Watch& watch_;
    Timeout timeout_;
    std::coroutine_handle<> waiter_;
};

} // namespace reef::io
