#include "cache/entry.h"

namespace reef::cache {

namespace {

/// What malloc, the maps, the lists and shared ownership add for each, about.
constexpr ByteCount kOverhead = 512;
constexpr ByteCount kFieldOverhead = 96;

} // namespace

Head::Head(const http::ResponseHead& head)
    : status(head.status), reason(head.reason), length(head.length) {
    fields.reserve(head.fields.size());
    for (const auto& [name, value] : head.fields)
        fields.emplace_back(name, value);
}

http::ResponseHead Head::view(std::pmr::memory_resource& memory) const {
    http::ResponseHead head(memory, status);
    head.reason = reason;
    head.length = length;
    head.fields.reserve(fields.size() + 2); // and what a hit adds
    for (const auto& [name, value] : fields)
        head.fields.add(name, value);
    return head;
}

Milliseconds Entry::ageAt(TimePoint now) const {
    return lifetime.age + std::chrono::duration_cast<Milliseconds>(now - made);
}

ByteCount Entry::bytes() const {
    ByteCount total = kOverhead + sizeof(Entry) + key.capacity() + place.host.capacity() +
                      2 * (place.path.capacity() + place.asked.capacity()) + content.capacity();
    for (const std::string& name : varies)
        total += kFieldOverhead + name.capacity();
    if (head == nullptr) return total;
    total += sizeof(Head) + head->reason.capacity();
    for (const auto& [name, value] : head->fields)
        total += kFieldOverhead + name.capacity() + value.capacity();
    return total;
}

} // namespace reef::cache
