#pragma once

#include "coro/ready_queue.h"

#include <coroutine>

namespace reef::coro {

/// A condition that tasks of one loop wait for. `set()` wakes all who wait, at the loop's next
/// turn, and lets later comers through until `clear()`. Must outlive its waiters; a waiter that is
/// dropped leaves the list.
class Event {
public:
    Event() noexcept { waiters_.next = waiters_.previous = &waiters_; }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;

    bool isSet() const noexcept { return set_; }
    void clear() noexcept { set_ = false; }
    void set() noexcept {
        set_ = true;
        wakeAll();
    }

    /// Wakes those who wait now without letting later comers through.
    void pulse() noexcept { wakeAll(); }

private:
    struct Link {
        Link* previous = nullptr;
        Link* next = nullptr;
        void unlink() noexcept {
            if (next == nullptr) return;
            previous->next = next;
            next->previous = previous;
            previous = next = nullptr;
        }
    };

public:
    class Awaiter final : private Link, private ReadyNode {
    public:
        explicit Awaiter(Event& event) noexcept : event_(event) {}
        ~Awaiter() { unlink(); }
        bool await_ready() const noexcept { return event_.set_; }
        void await_suspend(std::coroutine_handle<> waiter) noexcept {
            waiter_ = waiter;
            Link& ends = event_.waiters_;
            previous = ends.previous;
            next = &ends;
            ends.previous->next = this;
            ends.previous = this;
        }
        void await_resume() const noexcept {}

    private:
        friend class Event;
        void run() override { waiter_.resume(); }

        Event& event_;
        std::coroutine_handle<> waiter_;
    };

    /// `co_await event.wait()`
    Awaiter wait() noexcept { return Awaiter(*this); }

private:
    void wakeAll() noexcept {
        while (waiters_.next != &waiters_) {
            auto& waiter = static_cast<Awaiter&>(*waiters_.next);
            waiter.unlink();
            ReadyQueue::current().push(waiter);
        }
    }

    Link waiters_;
    bool set_ = false;
};

} // namespace reef::coro
