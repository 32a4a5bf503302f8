#pragma once

#include "coro/permit.h"
#include "coro/ready_queue.h"

#include <coroutine>
#include <cstddef>
#include <utility>

namespace reef::coro {

/// Bounds how many tasks of one loop do a thing at once. Permits are handed out in the order of
/// asking. Must outlive its permits and waiters.
class Semaphore final : private PermitOwner {
public:
    explicit Semaphore(std::size_t permits) noexcept : free_(permits) {
        waiters_.next = waiters_.previous = &waiters_;
    }
    Semaphore(const Semaphore&) = delete;
    Semaphore& operator=(const Semaphore&) = delete;

    using Permit = coro::Permit;

    std::size_t available() const noexcept { return free_; }
    std::size_t waiting() const noexcept { return waiting_; }

private:
    struct Link {
        Link* previous = nullptr;
        Link* next = nullptr;
    };

public:
    class Awaiter final : private Link, private ReadyNode {
    public:
        explicit Awaiter(Semaphore& owner) noexcept : owner_(owner) {}
        ~Awaiter() {
            if (next != nullptr) owner_.unlink(*this);
        }
        bool await_ready() noexcept {
            if (owner_.free_ == 0 || owner_.waiting_ != 0) return false;
            --owner_.free_;
            permit_ = Permit(owner_, nullptr);
            return true;
        }
        void await_suspend(std::coroutine_handle<> waiter) noexcept {
            waiter_ = waiter;
            owner_.link(*this);
        }
        Permit await_resume() noexcept { return std::move(permit_); }

    private:
        friend class Semaphore;
        void run() override { waiter_.resume(); }

        Semaphore& owner_;
        Permit permit_; // a waiter dropped between grant and resumption gives it back by this
        std::coroutine_handle<> waiter_;
    };

    /// `auto permit = co_await semaphore.acquire();`
    Awaiter acquire() noexcept { return Awaiter(*this); }

private:
    void link(Awaiter& waiter) noexcept {
        waiter.previous = waiters_.previous;
        waiter.next = &waiters_;
        waiters_.previous->next = &waiter;
        waiters_.previous = &waiter;
        ++waiting_;
    }
    void unlink(Awaiter& waiter) noexcept {
        waiter.previous->next = waiter.next;
        waiter.next->previous = waiter.previous;
        waiter.previous = waiter.next = nullptr;
        --waiting_;
    }
    void takeBack(void*) noexcept override {
        if (waiting_ == 0) {
            ++free_;
            return;
        }
        auto& waiter = static_cast<Awaiter&>(*waiters_.next);
        unlink(waiter);
        waiter.permit_ = Permit(*this, nullptr);
        ReadyQueue::current().push(waiter);
    }

    Link waiters_;
    std::size_t free_;
    std::size_t waiting_ = 0;
};

} // namespace reef::coro
