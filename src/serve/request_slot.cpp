#include "serve/request_slot.h"

#include <cstring>

namespace reef::serve {

void RequestSlot::grow() {
    auto larger = std::make_unique_for_overwrite<char[]>(capacity * 2);
    std::memcpy(larger.get(), buffer.get(), used);
    buffer = std::move(larger);
    capacity *= 2;
}

void RequestSlot::restartWith(ByteView bytes) {
    while (bytes.size() > capacity)
        grow(); // only when they come from elsewhere
    if (!bytes.empty()) std::memmove(buffer.get(), bytes.data(), bytes.size());
    used = bytes.size();
}

SlotPool::Lease SlotPool::take() {
    if (idle_.empty()) return Lease(new RequestSlot, Return{this});
    Lease lease(idle_.back().release(), Return{this});
    idle_.pop_back();
    return lease;
}

void SlotPool::giveBack(RequestSlot* slot) noexcept {
    std::unique_ptr<RequestSlot> owned(slot);
    if (idle_.size() >= kMaxIdle || owned->capacity != RequestSlot::kBufferBytes) return;
    owned->used = 0;
    owned->arena.release();
    idle_.push_back(std::move(owned));
}

} // namespace reef::serve
