#pragma once

#include "coro/task.h"
#include "io/stream.h"

#include <sys/ioctl.h>

#include <coroutine>
#include <optional>
#include <utility>

namespace reef::serve {

/// What the end of the client's sending side means. A client that asked to keep the connection and
/// then closes its side has left. One that said `Connection: close`, or speaks 1.0, may have only
/// half-closed and still read; then a broken connection alone counts.
enum class HalfClose : bool { meansLeft, isAllowed };

/// `std::optional<T> r = co_await UntilClientLeaves(stream, half, task)`: what the task returns, or
/// nothing when the client has left first or the timeout has passed; the task is then dropped, and
/// with it all that it owns.
///
/// The task runs at once; only when it waits is the connection watched, so that an answer from
/// memory costs nothing more.
template<class T>
class [[nodiscard]] UntilClientLeaves final : private io::IoAwaiter {
public:
    UntilClientLeaves(io::Stream& stream, HalfClose half, Task<T> task,
                      io::Timeout timeout = io::kNever) noexcept
        : IoAwaiter(stream.watch(), timeout), half_(half), task_(std::move(task)) {}

    bool await_ready() const noexcept { return false; }

    std::coroutine_handle<> await_suspend(std::coroutine_handle<> caller) {
        task_.start({&UntilClientLeaves::ended, this});
        if (task_.done()) return caller;
        caller_ = caller;
        step_ = attempt();
        if (step_ == Step::done) return caller; // it had left before we began to wait
        IoAwaiter::await_suspend(caller);
        return std::noop_coroutine();
    }

    std::optional<T> await_resume() {
        if (!task_.done()) return std::nullopt;
        return task_.result();
    }

    /// After nothing came of it: whether it was for want of time.
    bool ranOut() const noexcept { return ranOut_; }

private:
    static std::coroutine_handle<> ended(void* context) noexcept {
        auto& self = *static_cast<UntilClientLeaves*>(context);
        if (!self.caller_) return std::noop_coroutine();
        self.cancel();
        return self.caller_;
    }

    Step attempt() override {
        if (watch().broken()) return Step::done;
        const bool left = half_ == HalfClose::meansLeft && watch().peerFinished() && nothingWaits();
        return left ? Step::done : Step::wantsHangup;
    }

    /// Unread bytes are a pipelined request: its sender means to read our answers.
    bool nothingWaits() const noexcept {
        int waiting = 0;
        return ::ioctl(watch().descriptor(), FIONREAD, &waiting) != 0 || waiting == 0;
    }

    void timedOut() noexcept override { ranOut_ = true; }

    HalfClose half_;
    Task<T> task_;
    std::coroutine_handle<> caller_;
    bool ranOut_ = false;
};

} // namespace reef::serve
