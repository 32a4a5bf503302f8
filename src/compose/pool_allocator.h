#pragma once

#include "coro/frame_pool.h"

#include <cstddef>

namespace reef::compose {

/// Gives the nodes of a standard container the frame pool's memory.
template<class T>
struct PoolAllocator {
    using value_type = T;

    PoolAllocator() noexcept = default;
    template<class Other>
    PoolAllocator(const PoolAllocator<Other>&) noexcept {} // NOLINT: rebinding is implicit

    T* allocate(std::size_t count) {
        return static_cast<T*>(coro::FramePool::allocate(count * sizeof(T)));
    }
    void deallocate(T* place, std::size_t count) noexcept {
        coro::FramePool::release(place, count * sizeof(T));
    }
    friend bool operator==(PoolAllocator, PoolAllocator) noexcept { return true; }
};

} // namespace reef::compose
