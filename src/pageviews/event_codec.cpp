#include "pageviews/event_codec.h"

#include <algorithm>
#include <cstring>

namespace reef::pageviews {

namespace {

struct TextField {
    std::string_view Event::* text;
    std::uint16_t limit;
};

constexpr std::array<TextField, kEventTexts> kTextFields = {{
    {&Event::method, 16},
    {&Event::site, 256},
    {&Event::host, 256},
    {&Event::path, 8192},
    {&Event::query, 8192},
    {&Event::contentType, 128},
    {&Event::referrer, 2048},
    {&Event::userAgent, 512},
    {&Event::purpose, 64},
    {&Event::fetchDestination, 32},
}};

} // namespace

EventEncoder::EventEncoder(const Event& event) noexcept : event_(event), size_(sizeof head_) {
    head_.time = event.time.time_since_epoch().count();
    head_.duration = event.duration.count();
    head_.bytesSent = event.bytesSent;
    head_.status = event.status;
    for (std::size_t i = 0; i < kEventTexts; ++i) {
        const auto& field = kTextFields[i];
        const auto length = std::min<std::size_t>((event.*field.text).size(), field.limit);
        head_.lengths[i] = static_cast<std::uint16_t>(length);
        size_ += length;
    }
}

void EventEncoder::writeTo(char* room) const noexcept {
    std::memcpy(room, &head_, sizeof head_);
    room += sizeof head_;
    for (std::size_t i = 0; i < kEventTexts; ++i) {
        const std::size_t length = head_.lengths[i];
        if (length != 0) std::memcpy(room, (event_.*kTextFields[i].text).data(), length);
        room += length;
    }
}

std::size_t maxEncodedEvent() noexcept {
    std::size_t size = sizeof(EventHead);
    for (const auto& field : kTextFields)
        size += field.limit;
    return size;
}

Event decodeEvent(const char* bytes) noexcept {
    EventHead head;
    std::memcpy(&head, bytes, sizeof head);
    bytes += sizeof head;
    Event event;
    event.time = Time(std::chrono::milliseconds(head.time));
    event.duration = std::chrono::microseconds(head.duration);
    event.bytesSent = head.bytesSent;
    event.status = head.status;
    for (std::size_t i = 0; i < kEventTexts; ++i) {
        event.*kTextFields[i].text = {bytes, head.lengths[i]};
        bytes += head.lengths[i];
    }
    return event;
}

} // namespace reef::pageviews
