#pragma once

#include "cache/rules.h"
#include "coro/event.h"

#include <functional>
#include <memory>

namespace reef::cache {

/// An event loop, as far as the cache knows it. Outlives all that waits on it.
class Executor {
public:
    /// Runs `work` at one of its next turns. From any thread.
    virtual void post(std::move_only_function<void()> work) = 0;

    virtual TimePoint now() const = 0;

protected:
    ~Executor() = default;
};

/// Wakes a task of one loop, from any. Who waits sets `awaited` under the mutex of what is waited
/// for, and then awaits `wait()` at once; who changes that calls `ring` under the same mutex. No
/// ring is lost: on the bell's own loop nothing runs in between, and other loops post theirs.
class Bell {
public:
    explicit Bell(Executor& loop) noexcept : loop_(loop) {}

    coro::Event::Awaiter wait() noexcept { return event_.wait(); }

    bool awaited = false;

    /// `here`: the loop of the caller.
    static void ring(const std::shared_ptr<Bell>& bell, const Executor& here) {
        if (!std::exchange(bell->awaited, false)) return;
        if (&bell->loop_ == &here) return bell->event_.pulse();
        bell->loop_.post([bell] { bell->event_.pulse(); });
    }

private:
    Executor& loop_;
    coro::Event event_;
};

} // namespace reef::cache
