#pragma once

#include <cstddef>

namespace reef::coro {

/// Memory for coroutine frames and their small companions: one set of free lists per thread, by
/// size class.
///
/// The limit is high because the compiler folds frames of nested tasks into one: answering out of a
/// file is one frame of 5.6 KiB, and musl gives memory of that size back to the kernel at each
/// free.
///
/// A frame that is released goes onto the list of the releasing thread, and the next frame of its
/// class takes it from there: 1.6 ns against 369 ns for three pairs of musl's malloc and free. At
/// most `kMaxIdleBytes` wait on the lists of one thread; what is beyond goes back to malloc, so a
/// burst of connections does not leave its frames behind for ever. Under the sanitizers every call
/// is malloc's, so that use after release is seen.
class FramePool {
public:
    static constexpr std::size_t kMaxPooledBytes = 16384;   ///< larger frames are malloc's
    static constexpr std::size_t kMaxIdleBytes = 1U << 20U; ///< per thread

    /// Throws std::bad_alloc when there is no memory.
    static void* allocate(std::size_t bytes);

    /// `bytes` is the size that was asked for.
    static void release(void* block, std::size_t bytes) noexcept;

    struct Counts {
        std::size_t fromList = 0;   ///< allocations served by a free list
        std::size_t fromMalloc = 0; ///< allocations that malloc served
    };

    /// Of the calling thread since it started. For tests and benchmarks.
    static Counts counts() noexcept;
};

} // namespace reef::coro
