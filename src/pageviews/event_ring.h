#pragma once

#include "pageviews/event.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace reef::pageviews {

/// A queue of events between two threads: one pushes (an event loop), one reads (the writer).
/// Bounded, without locks, allocations or system calls; a push that finds no room drops its event
/// and counts it.
///
/// Layout: a circle of bytes. Each record begins at a multiple of 8 with its size, also a multiple
/// of 8, and is contiguous; a size of 0 says "go on at the start of the circle". Positions only
/// ever grow.
class EventRing {
public:
    /// `capacity` in bytes is raised to a power of two that holds at least four of the largest
    /// events. The memory is touched only as it is used.
    explicit EventRing(std::size_t capacity);
    EventRing(const EventRing&) = delete;
    EventRing& operator=(const EventRing&) = delete;

    /// What a push did; `pastHalf` is `stored` with the ring more than half full.
    enum class Push : std::uint8_t { stored, pastHalf, dropped };

    /// Producer only. Copies the event; wait-free.
    Push push(const Event& event) noexcept;

    /// Events dropped so far. Any thread.
    std::uint64_t dropped() const noexcept { return dropped_.load(std::memory_order_relaxed); }

    /// Consumer only: true when nothing waits. Sequentially consistent with push(), so a consumer
    /// that announces its sleep, and then sees an empty ring, is seen asleep by the next push.
    bool empty() const noexcept { return head_.load() == tail_.load(std::memory_order_relaxed); }

    /// Reads the events that had been pushed when it was made. They stay in the ring, and their
    /// texts valid, until release(); a reader that is dropped instead leaves them to the next one.
    class Reader {
    public:
        explicit Reader(EventRing& ring) noexcept;

        /// The next event; false at the end.
        bool next(Event& event) noexcept;

        /// Gives the room of all events read so far back to the producer.
        void release() noexcept;

    private:
        EventRing& ring_;
        std::uint64_t position_;
        std::uint64_t end_;
    };

    /// Consumer only, one at a time.
    Reader reader() noexcept { return Reader(*this); }

private:
    /// Makes room for one record at the producer's position, past the end of the circle if need be.
    char* reserve(std::size_t size) noexcept;
    char* at(std::uint64_t position) const noexcept { return &bytes_[position & (capacity_ - 1)]; }

    std::size_t capacity_;
    std::unique_ptr<char[]> bytes_;

    // Each side writes its own cache line.
    alignas(64) std::atomic<std::uint64_t> head_{0};
    std::uint64_t next_ = 0;      ///< head_ including the record in the making
    std::uint64_t knownTail_ = 0; ///< what the producer last saw of tail_
    std::atomic<std::uint64_t> dropped_{0};
    alignas(64) std::atomic<std::uint64_t> tail_{0};
};

} // namespace reef::pageviews
