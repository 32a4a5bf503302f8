#include "io/watch.h"

#include <sys/epoll.h>

#include <utility>

namespace reef::io {

void Watch::Link::unlink() noexcept {
    if (next == nullptr) return;
    previous->next = next;
    next->previous = previous;
    previous = next = nullptr;
}

void Watch::List::append(Link& link) noexcept {
    link.previous = previous;
    link.next = this;
    previous->next = &link;
    previous = &link;
}

void Watch::List::takeAll(List& other) noexcept {
    while (!other.empty()) {
        Link& link = *other.next;
        link.unlink();
        append(link);
    }
}

Watch::Watch(Loop& loop, Fd descriptor, Shared shared)
    : loop_(loop), descriptor_(std::move(descriptor)),
      key_(loop.addWatch(*this, descriptor_.get())), shared_(shared) {}

Watch::~Watch() {
    if (shared_ == Shared::yes) {
        epoll_event unused{};
        ::epoll_ctl(loop_.epoll_.get(), EPOLL_CTL_DEL, descriptor_.get(), &unused);
    }
    loop_.removeWatch(key_);
    // Whoever still waits is about to be dropped too, and must not find a dead list then.
    for (List& waiting : waiters_) {
        while (!waiting.empty())
            waiting.next->unlink();
    }
}

void Watch::note(std::uint32_t events) noexcept {
    if ((events & EPOLLRDHUP) != 0) peerFinished_ = true;
    if ((events & (EPOLLHUP | EPOLLERR)) != 0) broken_ = true;
    if ((events & (EPOLLIN | EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0) readable_ = true;
    if ((events & (EPOLLOUT | EPOLLHUP | EPOLLERR)) != 0) writable_ = true;
}

void Watch::resumeWaiters(Wait kind) {
    List& waiting = waiters_[static_cast<std::size_t>(kind)];
    if (waiting.empty()) return;
    const bool worthIt = kind == Wait::read    ? readable_
                         : kind == Wait::write ? writable_
                                               : peerFinished_ || broken_;
    if (!worthIt) return;
    List
        batch; // a resumed task may drop this watch, and any of the waiters: they unlink themselves
    batch.takeAll(waiting);
    while (!batch.empty()) {
        auto& awaiter = static_cast<IoAwaiter&>(*batch.next);
        awaiter.unlink();
        const auto step = awaiter.attempt();
        if (step == IoAwaiter::Step::done) {
            awaiter.resume();
        } else {
            awaiter.park(step);
        }
    }
}

void IoAwaiter::await_suspend(std::coroutine_handle<> waiter) {
    waiter_ = waiter;
    park(step_);
    armTimeout();
}

void IoAwaiter::park(Step step) {
    const auto kind = step == Step::wantsWrite    ? Watch::Wait::write
                      : step == Step::wantsHangup ? Watch::Wait::hangup
                                                  : Watch::Wait::read;
    watch_.waiters_[static_cast<std::size_t>(kind)].append(*this);
}

void IoAwaiter::armTimeout() noexcept {
    if (timeout_ != kNever) watch_.loop().arm(*this, timeout_);
}

void IoAwaiter::expired() {
    unlink();
    timedOut();
    resume();
}

void IoAwaiter::resume() {
    disarm();
    waiter_.resume();
}

} // namespace reef::io
