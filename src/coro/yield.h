#pragma once

#include "coro/ready_queue.h"

#include <coroutine>

namespace reef::coro {

/// `co_await Yield()`: lets the others of this loop have their turn.
class [[nodiscard]] Yield final : private ReadyNode {
public:
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> waiter) noexcept {
        waiter_ = waiter;
        ReadyQueue::current().push(*this);
    }
    void await_resume() const noexcept {}

private:
    void run() override { waiter_.resume(); }
    std::coroutine_handle<> waiter_;
};

} // namespace reef::coro
