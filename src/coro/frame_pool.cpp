#include "coro/frame_pool.h"

#include <array>
#include <cstdlib>
#include <new>
#include <utility>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define ATOLL_FRAMES_FROM_MALLOC 1
#endif
#endif

namespace reef::coro {

namespace {

constexpr std::size_t kGrain = 64;
constexpr std::size_t kClasses = FramePool::kMaxPooledBytes / kGrain;

struct FreeBlock {
    FreeBlock* next;
};

struct Lists {
    std::array<FreeBlock*, kClasses> heads{};
    std::size_t idleBytes = 0;
    FramePool::Counts counts;

    ~Lists() {
        for (FreeBlock* block : heads) {
            while (block != nullptr)
                std::free(std::exchange(block, block->next));
        }
        heads.fill(nullptr);
        idleBytes = FramePool::kMaxIdleBytes; // what is released after this goes straight to free
    }
};

thread_local Lists lists;

constexpr std::size_t classOf(std::size_t bytes) {
    return (bytes - 1) / kGrain;
}
constexpr std::size_t sizeOfClass(std::size_t index) {
    return (index + 1) * kGrain;
}

void* fromMalloc(std::size_t bytes) {
    void* block = std::malloc(bytes);
    if (block == nullptr) throw std::bad_alloc();
    ++lists.counts.fromMalloc;
    return block;
}

bool pooled(std::size_t bytes) {
#ifdef ATOLL_FRAMES_FROM_MALLOC
    (void)bytes;
    return false;
#else
    return bytes != 0 && bytes <= FramePool::kMaxPooledBytes;
#endif
}

} // namespace

void* FramePool::allocate(std::size_t bytes) {
    if (!pooled(bytes)) return fromMalloc(bytes);
    const auto index = classOf(bytes);
    FreeBlock*& head = lists.heads[index];
    if (head == nullptr) return fromMalloc(sizeOfClass(index));
    ++lists.counts.fromList;
    lists.idleBytes -= sizeOfClass(index);
    return std::exchange(head, head->next);
}

void FramePool::release(void* block, std::size_t bytes) noexcept {
    if (!pooled(bytes) || lists.idleBytes >= kMaxIdleBytes) {
        std::free(block);
        return;
    }
    const auto index = classOf(bytes);
    lists.heads[index] = new (block) FreeBlock{lists.heads[index]};
    lists.idleBytes += sizeOfClass(index);
}

FramePool::Counts FramePool::counts() noexcept {
    return lists.counts;
}

} // namespace reef::coro
