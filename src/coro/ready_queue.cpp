#include "coro/ready_queue.h"

#include <utility>

namespace reef::coro {

namespace {
thread_local ReadyQueue* currentQueue = nullptr;
}

void ReadyNode::unqueue() noexcept {
    if (next_ == nullptr) return;
    previous_->next_ = next_;
    next_->previous_ = previous_;
    previous_ = next_ = nullptr;
}

ReadyQueue::ReadyQueue() noexcept : outer_(std::exchange(currentQueue, this)) {
    ends_.next_ = ends_.previous_ = &ends_;
}

ReadyQueue::~ReadyQueue() {
    while (!empty())
        ends_.next_->unqueue();
    ends_.next_ = ends_.previous_ = nullptr;
    currentQueue = outer_;
}

ReadyQueue& ReadyQueue::current() noexcept {
    return *currentQueue;
}

void ReadyQueue::insertBefore(ReadyNode& place, ReadyNode& node) noexcept {
    node.previous_ = place.previous_;
    node.next_ = &place;
    place.previous_->next_ = &node;
    place.previous_ = &node;
}

void ReadyQueue::push(ReadyNode& node) noexcept {
    if (!node.queued()) insertBefore(ends_, node);
}

std::size_t ReadyQueue::runOnce() {
    if (empty()) return 0;
    Ends mark; // what is pushed from now on lands behind it
    insertBefore(ends_, mark);
    std::size_t ran = 0;
    while (ends_.next_ != &mark) {
        ReadyNode& node = *ends_.next_;
        node.unqueue();
        node.run();
        ++ran;
    }
    return ran;
}

} // namespace reef::coro
