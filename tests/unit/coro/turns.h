#pragma once

#include "coro/ready_queue.h"
#include "coro/scope.h"

namespace reef::test {

/// A loop without sockets: runs what is ready until nothing is.
struct Turns {
    coro::ReadyQueue queue;
    coro::Scope scope;

    void run() {
        while (queue.runOnce() != 0) {
        }
    }
};

/// Says that it was destroyed, which is how a dropped frame is seen.
struct Witness {
    explicit Witness(int& count) : count_(&count) {}
    Witness(Witness&& other) noexcept : count_(std::exchange(other.count_, nullptr)) {}
    ~Witness() {
        if (count_ != nullptr) ++*count_;
    }
    int* count_;
};

} // namespace reef::test
