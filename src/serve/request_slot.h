#pragma once

#include "base/arena.h"
#include "base/bytes.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace reef::serve {

/// What a connection needs while it serves a request and not while it is idle: the buffer that the
/// head is read into (and may be views of), and the arena. About 22 KiB.
struct RequestSlot {
    static constexpr std::size_t kBufferBytes = 16384;

    RequestSlot()
        : buffer(std::make_unique_for_overwrite<char[]>(kBufferBytes)), capacity(kBufferBytes) {}

    ByteView received() const noexcept { return {buffer.get(), used}; }
    ByteRoom room() noexcept { return {buffer.get() + used, capacity - used}; }

    /// Doubles the buffer; views into it become invalid.
    void grow();

    /// Puts `bytes` (which may be part of the buffer) at its front; all else is forgotten.
    void restartWith(ByteView bytes);

    std::unique_ptr<char[]> buffer;
    std::size_t capacity;
    std::size_t used = 0;
    Arena arena;
};

/// Slots that no connection needs at the moment. One per loop; must outlive its leases.
class SlotPool {
public:
    static constexpr std::size_t kMaxIdle = 64; ///< further ones are freed

    struct Return {
        SlotPool* pool;
        void operator()(RequestSlot* slot) const noexcept { pool->giveBack(slot); }
    };
    using Lease = std::unique_ptr<RequestSlot, Return>;

    Lease take();
    static Lease none() noexcept { return Lease(nullptr, Return{nullptr}); }

private:
    void giveBack(RequestSlot* slot) noexcept;
    std::vector<std::unique_ptr<RequestSlot>> idle_;
};

} // namespace reef::serve
