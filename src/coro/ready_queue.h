#pragma once

#include <cstddef>

namespace reef::coro {

class ReadyQueue;

/// Something to be run at the loop's next turn. Linked into at most one queue; its destructor takes
/// it out, so a frame that is dropped while it waits for its turn is simply not resumed.
class ReadyNode {
public:
    ReadyNode(const ReadyNode&) = delete;
    ReadyNode& operator=(const ReadyNode&) = delete;

    bool queued() const noexcept { return next_ != nullptr; }

    /// Takes the node out of its queue, if it is in one.
    void unqueue() noexcept;

protected:
    ReadyNode() noexcept = default;
    ~ReadyNode() { unqueue(); }

    /// The node's turn. It is out of the queue already, and may destroy itself.
    virtual void run() = 0;

private:
    friend class ReadyQueue;
    ReadyNode* previous_ = nullptr;
    ReadyNode* next_ = nullptr;
};

/// What is to be resumed at the next turn of this thread's loop, in order. Waking goes through here
/// and never resumes inline: code inside a task can wake, release or drop others without destroying
/// an ancestor that is on the stack below it. One queue per loop thread; not thread-safe.
class ReadyQueue {
public:
    ReadyQueue() noexcept;
    ~ReadyQueue();
    ReadyQueue(const ReadyQueue&) = delete;
    ReadyQueue& operator=(const ReadyQueue&) = delete;

    /// The queue of the calling thread: the latest one constructed on it. There must be one.
    static ReadyQueue& current() noexcept;

    void push(ReadyNode& node) noexcept;
    bool empty() const noexcept { return ends_.next_ == &ends_; }

    /// Runs the nodes that are queued now; those they push wait for the next call.
    /// Returns how many ran.
    std::size_t runOnce();

private:
    struct Ends final : ReadyNode {
        void run() override {}
    };
    static void insertBefore(ReadyNode& place, ReadyNode& node) noexcept;

    Ends ends_;
    ReadyQueue* outer_;
};

} // namespace reef::coro
