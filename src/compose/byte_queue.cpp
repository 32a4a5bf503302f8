#include "compose/byte_queue.h"

#include "coro/frame_pool.h"

#include <unistd.h>

#include <algorithm>
#include <new>

namespace reef::compose {

/// The head of a block; its room follows. A lent block has no room.
struct ByteQueue::Block {
    Block* next = nullptr;
    const char* data = nullptr;
    std::size_t size = 0;
    std::size_t capacity = 0;

    char* room() noexcept { return reinterpret_cast<char*>(this + 1); }
    std::size_t left() const noexcept { return capacity - std::min(capacity, size); }
};

namespace {

constexpr std::size_t kLeastRoom = 480;              // with its head, a block of 512 bytes
constexpr std::size_t kMostRoom = (32U << 10U) - 32; // few blocks, so few vectors, for bulk

thread_local std::size_t memoryInBlocks = 0;

} // namespace

ByteQueue::ByteQueue(ByteQueue&& other) noexcept
    : first_(std::exchange(other.first_, nullptr)), last_(std::exchange(other.last_, nullptr)),
      size_(std::exchange(other.size_, 0)), lent_(std::exchange(other.lent_, 0)) {}

ByteQueue& ByteQueue::operator=(ByteQueue&& other) noexcept {
    if (this == &other) return *this;
    clear();
    take(other);
    return *this;
}

ByteQueue::Block* ByteQueue::newBlock(std::size_t capacity) {
    auto* block = new (coro::FramePool::allocate(sizeof(Block) + capacity)) Block;
    memoryInBlocks += sizeof(Block) + capacity;
    block->capacity = capacity;
    block->data = block->room();
    return block;
}

void ByteQueue::release(Block* block) noexcept {
    memoryInBlocks -= sizeof(Block) + block->capacity;
    coro::FramePool::release(block, sizeof(Block) + block->capacity);
}

std::size_t ByteQueue::memoryOfThread() noexcept {
    return memoryInBlocks;
}

void ByteQueue::link(Block* block) noexcept {
    (last_ != nullptr ? last_->next : first_) = block;
    last_ = block;
}

void ByteQueue::append(ByteView bytes) {
    while (!bytes.empty()) {
        if (last_ == nullptr || last_->left() == 0) {
            link(newBlock(std::clamp(bytes.size(), kLeastRoom, kMostRoom)));
        }
        const auto part = bytes.first(std::min(bytes.size(), last_->left()));
        std::ranges::copy(part, last_->room() + last_->size);
        commit(part.size());
        bytes = bytes.subspan(part.size());
    }
}

void ByteQueue::lend(ByteView bytes) {
    if (bytes.empty()) return;
    Block* block = newBlock(0);
    block->data = bytes.data();
    block->size = bytes.size();
    link(block);
    size_ += bytes.size();
    lent_ += bytes.size();
}

void ByteQueue::own() {
    if (lent_ == 0) return;
    ByteQueue owned;
    for (const Block* block = first_; block != nullptr; block = block->next) {
        owned.append(ByteView(block->data, block->size));
    }
    *this = std::move(owned);
}

ByteRoom ByteQueue::room(std::size_t atMost) {
    if (last_ == nullptr || last_->left() == 0) {
        link(newBlock(std::clamp(atMost, kLeastRoom, kMostRoom)));
    }
    return {last_->room() + last_->size, std::min(atMost, last_->left())};
}

void ByteQueue::commit(std::size_t bytes) noexcept {
    last_->size += bytes;
    size_ += bytes;
}

Status ByteQueue::readFile(int file, ByteCount offset, ByteCount count) {
    while (count != 0) {
        const auto place = room(static_cast<std::size_t>(std::min<ByteCount>(count, kMostRoom)));
        const auto got = ::pread(file, place.data(), place.size(), static_cast<off_t>(offset));
        if (got < 0) return fail(Error::fromErrno());
        if (got == 0) return fail(Error::peerClosed);
        commit(static_cast<std::size_t>(got));
        offset += static_cast<ByteCount>(got);
        count -= static_cast<ByteCount>(got);
    }
    return {};
}

void ByteQueue::take(ByteQueue& other) noexcept {
    if (other.first_ == nullptr) return;
    link(other.first_);
    last_ = other.last_;
    size_ += std::exchange(other.size_, 0);
    lent_ += std::exchange(other.lent_, 0);
    other.first_ = other.last_ = nullptr;
}

void ByteQueue::clear() noexcept {
    while (first_ != nullptr)
        release(std::exchange(first_, first_->next));
    last_ = nullptr;
    size_ = lent_ = 0;
}

void ByteQueue::view(Views& out) const {
    for (const Block* block = first_; block != nullptr; block = block->next) {
        if (block->size != 0) out.emplace_back(block->data, block->size);
    }
}

} // namespace reef::compose
