#pragma once

#include "coro/yield.h"
#include "io/loop.h"
#include "io/watch.h"

#include <coroutine>

namespace reef::io {

/// `co_await Sleep(loop, 20ms)`: at least that long.
class [[nodiscard]] Sleep final : private Timer {
public:
    Sleep(Loop& loop, Timeout duration) noexcept : loop_(loop), duration_(duration) {}
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> waiter) noexcept {
        waiter_ = waiter;
        loop_.armExactly(*this, duration_);
    }
    void await_resume() const noexcept {}

private:
    void expired() override { waiter_.resume(); }

    Loop& loop_;
    Timeout duration_;
    std::coroutine_handle<> waiter_;
};

using coro::Yield;

} // namespace reef::io
