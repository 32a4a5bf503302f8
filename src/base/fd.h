#pragma once

#include <utility>

namespace reef {

/// Owns one file descriptor and closes it. A descriptor is an `Fd` from the moment it exists, and
/// is opened with CLOEXEC. Movable, not copyable; an empty one holds -1.
class Fd {
public:
    constexpr Fd() noexcept = default;

    /// Takes ownership of `descriptor`; -1 makes an empty Fd.
    explicit constexpr Fd(int descriptor) noexcept : descriptor_(descriptor) {}

    Fd(Fd&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
    Fd& operator=(Fd&& other) noexcept {
        if (this != &other) reset(other.release());
        return *this;
    }
    Fd(const Fd&) = delete;
    Fd& operator=(const Fd&) = delete;
    ~Fd() { reset(); }

    /// Lends the number; it stays owned here.
    int get() const noexcept { return descriptor_; }
    explicit operator bool() const noexcept { return descriptor_ >= 0; }

    /// Gives the number away; the caller closes it.
    [[nodiscard]] int release() noexcept { return std::exchange(descriptor_, -1); }

    /// Closes what is held, then takes `descriptor`. errno is left as it was.
    void reset(int descriptor = -1) noexcept;

private:
    int descriptor_ = -1;
};

} // namespace reef
