#include "pageviews/event_ring.h"

#include "pageviews/event_codec.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace reef::pageviews {

namespace {

constexpr std::size_t kAlignment = 8;
constexpr std::uint64_t kGoToStart = 0;

std::size_t recordSize(std::size_t encoded) noexcept {
    return (sizeof(std::uint64_t) + encoded + kAlignment - 1) & ~(kAlignment - 1);
}

void putSize(char* place, std::uint64_t size) noexcept {
    std::memcpy(place, &size, sizeof size);
}

std::uint64_t sizeAt(const char* place) noexcept {
    std::uint64_t size = 0;
    std::memcpy(&size, place, sizeof size);
    return size;
}

} // namespace

EventRing::EventRing(std::size_t capacity)
    : capacity_(std::bit_ceil(std::max(capacity, 4 * recordSize(maxEncodedEvent())))),
      bytes_(std::make_unique_for_overwrite<char[]>(capacity_)) {}

char* EventRing::reserve(std::size_t size) noexcept {
    const std::size_t toEnd = capacity_ - (next_ & (capacity_ - 1));
    const bool wraps = size > toEnd;
    const std::uint64_t end = next_ + (wraps ? toEnd : 0) + size;
    if (end - knownTail_ > capacity_) {
        knownTail_ = tail_.load(std::memory_order_acquire);
        if (end - knownTail_ > capacity_) return nullptr;
    }
    if (wraps) putSize(at(next_), kGoToStart);
    next_ = end;
    return at(end - size);
}

EventRing::Push EventRing::push(const Event& event) noexcept {
    const EventEncoder encoder(event);
    const std::size_t size = recordSize(encoder.size());
    char* room = reserve(size);
    if (room == nullptr) {
        dropped_.store(dropped() + 1, std::memory_order_relaxed);
        return Push::dropped;
    }
    putSize(room, size);
    encoder.writeTo(room + sizeof(std::uint64_t));
    head_.store(next_); // sequentially consistent: see empty()

    if (next_ - knownTail_ <= capacity_ / 2) return Push::stored;
    knownTail_ = tail_.load(std::memory_order_acquire);
    return next_ - knownTail_ > capacity_ / 2 ? Push::pastHalf : Push::stored;
}

EventRing::Reader::Reader(EventRing& ring) noexcept
    : ring_(ring), position_(ring.tail_.load(std::memory_order_relaxed)), end_(ring.head_.load()) {}

bool EventRing::Reader::next(Event& event) noexcept {
    if (position_ == end_) return false;
    std::uint64_t size = sizeAt(ring_.at(position_));
    if (size == kGoToStart) { // a record follows: both were published together
        position_ = (position_ | (ring_.capacity_ - 1)) + 1;
        size = sizeAt(ring_.at(position_));
    }
    event = decodeEvent(ring_.at(position_) + sizeof size);
    position_ += size;
    return true;
}

void EventRing::Reader::release() noexcept {
    ring_.tail_.store(position_, std::memory_order_release);
}

} // namespace reef::pageviews
