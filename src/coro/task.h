#pragma once

#include "coro/frame_pool.h"

#include <coroutine>
#include <exception>
#include <optional>
#include <utility>

namespace reef::coro {

template<class T>
class Task;

namespace detail {

/// Who is told when a task has ended: a function that answers which coroutine runs next.
struct Completion {
    std::coroutine_handle<> (*ended)(void* context) noexcept = nullptr;
    void* context = nullptr;

    static Completion resume(std::coroutine_handle<> continuation) noexcept {
        return {
            [](void* address) noexcept { return std::coroutine_handle<>::from_address(address); },
            continuation.address()};
    }
};

class PromiseBase {
public:
    static void* operator new(std::size_t bytes) { return FramePool::allocate(bytes); }
    static void operator delete(void* block, std::size_t bytes) noexcept {
        FramePool::release(block, bytes);
    }

    struct FinalAwaiter {
        bool await_ready() noexcept { return false; }
        template<class Promise>
        std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> self) noexcept {
            const Completion completion = self.promise().completion_;
            return completion.ended(completion.context);
        }
        void await_resume() noexcept {}
    };

    std::suspend_always initial_suspend() noexcept { return {}; }
    FinalAwaiter final_suspend() noexcept { return {}; }
    void unhandled_exception() noexcept { exception_ = std::current_exception(); }
    void setCompletion(Completion completion) noexcept { completion_ = completion; }

protected:
    void rethrow() {
        if (exception_) std::rethrow_exception(std::exchange(exception_, nullptr));
    }

private:
    Completion completion_;
    std::exception_ptr exception_;
};

template<class T>
class Promise final : public PromiseBase {
public:
    Task<T> get_return_object() noexcept;
    template<class Value>
    void return_value(Value&& value) {
        value_.emplace(std::forward<Value>(value));
    }
    T take() {
        rethrow();
        return std::move(*value_);
    }

private:
    std::optional<T> value_;
};

template<>
class Promise<void> final : public PromiseBase {
public:
    Task<void> get_return_object() noexcept;
    void return_void() noexcept {}
    void take() { rethrow(); }
};

} // namespace detail

/// A coroutine that has not begun, is suspended, or has ended, and the sole owner of its frame.
///
/// Lazy: `co_await std::move(task)` (or `co_await f()`) runs it; a Scope, a race or a timeout runs
/// it as a child. Dropping a Task destroys its frame at once, with all that the frame owns: that is
/// how work is cancelled. A task runs on one thread, and is dropped only while it is suspended
/// (rule 5: by its owner, from outside). Exceptions reach the awaiter.
template<class T = void>
class [[nodiscard]] Task {
public:
    using promise_type = detail::Promise<T>;
    using value_type = T;

    Task(Task&& other) noexcept : frame_(std::exchange(other.frame_, nullptr)) {}
    Task& operator=(Task&& other) noexcept {
        if (this != &other) {
            drop();
            frame_ = std::exchange(other.frame_, nullptr);
        }
        return *this;
    }
    Task(const Task&) = delete;
    Task& operator=(const Task&) = delete;
    ~Task() { drop(); }

    struct Awaiter {
        explicit Awaiter(std::coroutine_handle<promise_type> frame) noexcept : frame(frame) {}
        bool await_ready() noexcept { return false; }
        std::coroutine_handle<> await_suspend(std::coroutine_handle<> caller) noexcept {
            frame.promise().setCompletion(detail::Completion::resume(caller));
            return frame;
        }
        T await_resume() { return frame.promise().take(); }
        std::coroutine_handle<promise_type> frame;
    };
    Awaiter operator co_await() && noexcept { return Awaiter(frame_); }

    /// For Scope, race and the other owners of children: runs the task until it first suspends, on
    /// the caller's stack. `completion` is told when it ends, which may be before this returns.
    void start(detail::Completion completion) {
        frame_.promise().setCompletion(completion);
        frame_.resume();
    }

    /// Whether the task has ended. `result()` may then be called once.
    bool done() const noexcept { return frame_.done(); }
    T result() { return frame_.promise().take(); }

private:
    friend promise_type;
    explicit Task(std::coroutine_handle<promise_type> frame) noexcept : frame_(frame) {}
    void drop() noexcept {
        if (frame_) std::exchange(frame_, nullptr).destroy();
    }

    std::coroutine_handle<promise_type> frame_;
};

namespace detail {

template<class T>
Task<T> Promise<T>::get_return_object() noexcept {
    return Task<T>(std::coroutine_handle<Promise<T>>::from_promise(*this));
}

inline Task<void> Promise<void>::get_return_object() noexcept {
    return Task<void>(std::coroutine_handle<Promise<void>>::from_promise(*this));
}

} // namespace detail
} // namespace reef::coro

namespace reef {
using coro::Task;
}
