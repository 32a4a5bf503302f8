#pragma once

#include "base/result.h"
#include "coro/task.h"
#include "io/loop.h"
#include "io/watch.h"

#include <coroutine>
#include <utility>

namespace reef::io {

/// `Result<T> r = co_await Within(loop, 300ms, task)`: what the task returns, or `Error::timedOut`
/// and the task is dropped. The task returns a Result.
template<class T>
class [[nodiscard]] Within final : private Timer {
public:
    Within(Loop& loop, Timeout timeout, Task<Result<T>> task) noexcept
        : loop_(loop), timeout_(timeout), task_(std::move(task)) {}
    Within(const Within&) = delete;
    Within& operator=(const Within&) = delete;

    bool await_ready() const noexcept { return false; }

    std::coroutine_handle<> await_suspend(std::coroutine_handle<> caller) {
        task_.start({&Within::ended, this});
        if (task_.done()) return caller;
        caller_ = caller;
        if (timeout_ != kNever) loop_.armExactly(*this, timeout_);
        return std::noop_coroutine();
    }

    Result<T> await_resume() {
        if (!task_.done()) return fail(Error::timedOut);
        return task_.result();
    }

private:
    static std::coroutine_handle<> ended(void* context) noexcept {
        auto& self = *static_cast<Within*>(context);
        if (!self.caller_) return std::noop_coroutine();
        self.disarm();
        return self.caller_;
    }
    void expired() override { caller_.resume(); }

    Loop& loop_;
    Timeout timeout_;
    Task<Result<T>> task_;
    std::coroutine_handle<> caller_;
};

} // namespace reef::io
