#pragma once

#include "pageviews/doorbell.h"
#include "pageviews/event_ring.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace reef::pageviews {

class Intake;

/// Where one event loop drops its events. Used by one thread at a time; lives as long as the
/// recorder.
class Producer {
public:
    Producer(Intake& intake, std::size_t ringBytes) : intake_(intake), ring_(ringBytes) {}

    /// Copies what is a pageview, a feed or a prefetch into the queue; everything else costs a few
    /// comparisons. Never blocks and never fails: with a full queue the event is dropped and
    /// counted.
    void push(const Event& event) noexcept;

private:
    friend class Intake;
    Intake& intake_;
    EventRing ring_;
};

/// The queues of all loops on one side, the one thread that empties them on the other. The thread
/// sleeps without any timer while nothing happens; the first event wakes it, and a queue that gets
/// half full does again. Between those, a push makes no system call.
class Intake {
public:
    explicit Intake(Doorbell doorbell) noexcept : doorbell_(std::move(doorbell)) {}

    /// A new queue. Any thread; meant for start-up, one per loop.
    Producer& add(std::size_t ringBytes);

    /// Nothing more is to be expected: ends all waiting, now and from now on. Any thread.
    void close() noexcept;

    /// Events dropped by all producers so far. Any thread.
    std::uint64_t dropped() const;

    // The writer's side: one thread.

    bool isClosed() const noexcept { return closed_.load(); }
    bool isEmpty() const;

    /// Sleeps until there is an event. May return without one.
    void waitForFirst() noexcept;

    /// Gathers: sleeps for `time`, less when a queue fills.
    void gather(std::chrono::milliseconds time) noexcept;

    /// Sleeps for `time`, however full the queues are.
    void pause(std::chrono::milliseconds time) noexcept;

    /// A reader per queue, all of which end at what has been pushed by now.
    std::vector<EventRing::Reader> readers();

private:
    friend class Producer;
    void pushed(EventRing::Push push) noexcept;

    Doorbell doorbell_;
    std::atomic<bool> closed_{false};
    std::atomic<bool> asleep_{false};  ///< the writer waits for the first event
    std::atomic<bool> filling_{false}; ///< a queue got half full since the last readers()
    mutable std::mutex mutex_;         ///< guards the list, not the queues
    std::vector<std::unique_ptr<Producer>> producers_;
};

} // namespace reef::pageviews
