#pragma once

#include "coro/task.h"

#include <type_traits>
#include <variant>

namespace reef::coro {

template<class T>
using ValueOf = std::conditional_t<std::is_void_v<T>, std::monostate, T>;

/// `co_await race(f(), g())`: runs both, ends with the first that ends, and drops the other. The
/// variant's index says who won (`void` gives std::monostate). When both end at once the first
/// argument wins.
template<class A, class B>
class [[nodiscard]] race {
public:
    using Outcome = std::variant<ValueOf<A>, ValueOf<B>>;

    race(Task<A> first, Task<B> second) noexcept
        : first_(std::move(first)), second_(std::move(second)) {}
    race(const race&) = delete;
    race& operator=(const race&) = delete;

    bool await_ready() const noexcept { return false; }

    std::coroutine_handle<> await_suspend(std::coroutine_handle<> caller) {
        first_.start({&race::ended, this});
        if (!ended_) second_.start({&race::ended, this});
        if (ended_) return caller;
        caller_ = caller;
        return std::noop_coroutine();
    }

    Outcome await_resume() {
        if (first_.done()) return take<0>(first_);
        return take<1>(second_);
    }

private:
    static std::coroutine_handle<> ended(void* context) noexcept {
        auto& self = *static_cast<race*>(context);
        if (std::exchange(self.ended_, true) || !self.caller_) return std::noop_coroutine();
        return self.caller_;
    }

    template<std::size_t index, class T>
    static Outcome take(Task<T>& task) {
        if constexpr (std::is_void_v<T>) {
            task.result();
            return Outcome(std::in_place_index<index>);
        } else {
            return Outcome(std::in_place_index<index>, task.result());
        }
    }

    Task<A> first_;
    Task<B> second_;
    std::coroutine_handle<> caller_;
    bool ended_ = false;
};

} // namespace reef::coro
