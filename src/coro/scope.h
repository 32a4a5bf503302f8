#pragma once

#include "coro/event.h"
#include "coro/task.h"

#include <cstddef>

namespace reef::coro {

/// Owns tasks that run beside each other; leaving the scope stops them. There are no detached
/// tasks.
///
/// `start` runs a task until it first suspends. A task that ends is released at the loop's next
/// turn. The destructor drops all that still run, latest first. An exception that leaves a child is
/// a bug in it: it is logged, and the others go on. One thread; must not be destroyed by one of its
/// own tasks.
class Scope {
public:
    Scope() noexcept = default;
    ~Scope() { dropAll(); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

    void start(Task<void> task);

    /// Drops every task at once.
    void dropAll() noexcept;

    /// Waits until no task is left.
    Task<void> join();

    std::size_t size() const noexcept { return size_; }

private:
    struct Child;
    void unlink(Child& child) noexcept;
    void release(Child& child) noexcept;

    Child* newest_ = nullptr;
    std::size_t size_ = 0;
    Event emptied_;
};

} // namespace reef::coro
