#pragma once

#include "pageviews/event.h"

#include <array>
#include <cstddef>

namespace reef::pageviews {

/// How many texts an event has.
inline constexpr std::size_t kEventTexts = 10;

/// The fixed part of an encoded event. It never leaves the process, so it is simply memory.
struct EventHead {
    std::int64_t time;
    std::int64_t duration;
    std::uint64_t bytesSent;
    std::uint16_t status;
    std::array<std::uint16_t, kEventTexts> lengths;
};

/// Lays an event out as one run of bytes: EventHead, then the texts one after another. A text
/// longer than its limit (8 KiB for path and query, less for the others) is cut, so that no client
/// can fill the queue with few requests. The event must outlive the encoder.
class EventEncoder {
public:
    explicit EventEncoder(const Event& event) noexcept;

    /// Bytes that writeTo() writes.
    std::size_t size() const noexcept { return size_; }
    void writeTo(char* room) const noexcept;

private:
    const Event& event_;
    EventHead head_;
    std::size_t size_;
};

/// The largest encoded event.
std::size_t maxEncodedEvent() noexcept;

/// Reads what an encoder wrote at `bytes`. The texts are views into it.
Event decodeEvent(const char* bytes) noexcept;

} // namespace reef::pageviews
