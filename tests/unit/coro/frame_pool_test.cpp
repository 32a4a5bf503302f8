#include "coro/frame_pool.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <vector>

using namespace reef;
using coro::FramePool;

TEST_CASE("blocks of every size can be written to their end and given back") {
    std::vector<std::pair<void*, std::size_t>> blocks;
    for (std::size_t size = 1; size < 6000; size += 37) {
        void* block = FramePool::allocate(size);
        std::memset(block, 0x5a, size);
        blocks.emplace_back(block, size);
    }
    for (const auto& [block, size] : blocks)
        FramePool::release(block, size);
    const auto total = FramePool::counts().fromList + FramePool::counts().fromMalloc;
    CHECK(total >= blocks.size());
}

TEST_CASE("a burst leaves no more than the stated bytes behind") {
    constexpr std::size_t kBlock = 4096;
    constexpr std::size_t kBurst = 1000;
    std::vector<void*> blocks;
    for (std::size_t i = 0; i < kBurst; ++i)
        blocks.push_back(FramePool::allocate(kBlock));
    for (void* block : blocks)
        FramePool::release(block, kBlock);
    const auto before = FramePool::counts().fromList;
    blocks.clear();
    for (std::size_t i = 0; i < kBurst; ++i)
        blocks.push_back(FramePool::allocate(kBlock));
    CHECK(FramePool::counts().fromList - before <= FramePool::kMaxIdleBytes / kBlock);
    for (void* block : blocks)
        FramePool::release(block, kBlock);
}
