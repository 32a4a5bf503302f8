#pragma once

#include <cstddef>

namespace reef::serve {

/// Keeps some of the process's descriptors (RLIMIT_NOFILE) from being taken by connections: those
/// that are open need files and pipes to be answered. The kernel always gives the lowest number
/// that is free, so the number of a new descriptor tells how many are in use.
class DescriptorReserve {
public:
    DescriptorReserve() noexcept;

    /// An eighth of the limit, 16 at least and 256 at most.
    static std::size_t sizeFor(std::size_t limit) noexcept;

    /// Whether the descriptor just made is one of the reserve.
    bool holds(int descriptor) const noexcept { return descriptor >= first_; }

    /// Whether the next descriptor would be. Makes one and closes it.
    bool isTouched() const noexcept;

private:
    int first_;
};

} // namespace reef::serve
