#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "compose/pool_allocator.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace reef::compose {

/// Bytes on their way out, in order: copied ones in blocks of the frame pool, and views lent by
/// someone. Appending never moves what is there. One thread.
class ByteQueue {
public:
    using Views = std::vector<ByteView, PoolAllocator<ByteView>>;

    ByteQueue() noexcept = default;
    ByteQueue(ByteQueue&& other) noexcept;
    ByteQueue& operator=(ByteQueue&& other) noexcept;
    ~ByteQueue() { clear(); }

    void append(ByteView bytes);

    /// Without a copy: the bytes are needed until they were taken out, or until `own`.
    void lend(ByteView bytes);

    /// Copies what was lent.
    void own();

    /// Room for at least one byte and at most `atMost` behind the last one; `commit` says how many
    /// were filled, before any other call.
    ByteRoom room(std::size_t atMost);
    void commit(std::size_t bytes) noexcept;

    /// Reads `count` bytes of a file behind the last one. Errors: system; peerClosed when the file
    /// has become shorter.
    Status readFile(int file, ByteCount offset, ByteCount count);

    /// Moves all of `other` behind what is here.
    void take(ByteQueue& other) noexcept;

    void clear() noexcept;

    std::size_t size() const noexcept { return size_; }
    std::size_t lent() const noexcept { return lent_; }
    std::size_t owned() const noexcept { return size_ - lent_; }
    bool empty() const noexcept { return size_ == 0; }

    /// Memory in blocks of all queues of the calling thread, in bytes. What was lent is not in it.
    static std::size_t memoryOfThread() noexcept;

    /// Adds one view for each block. Valid until the bytes are cleared, taken or owned.
    void view(Views& out) const;

private:
    struct Block;
    Block* newBlock(std::size_t capacity);
    void link(Block* block) noexcept;
    static void release(Block* block) noexcept;

    Block* first_ = nullptr;
    Block* last_ = nullptr;
    std::size_t size_ = 0;
    std::size_t lent_ = 0;
};

} // namespace reef::compose
