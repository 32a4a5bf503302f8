#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace reef {

/// Bytes that someone else owns. Like a string_view, it counts as a reference (coroutine rule 1).
using ByteView = std::span<const char>;

/// Room for bytes that someone else owns.
using ByteRoom = std::span<char>;

/// A number of bytes of a body or file; 64 bit so that 4 GiB and more need no thought.
using ByteCount = std::uint64_t;

inline ByteView bytesOf(std::string_view text) noexcept {
    return {text.data(), text.size()};
}
inline std::string_view textOf(ByteView bytes) noexcept {
    return {bytes.data(), bytes.size()};
}

constexpr ByteCount operator""_KiB(unsigned long long n) {
    return n << 10U;
}
constexpr ByteCount operator""_MiB(unsigned long long n) {
    return n << 20U;
}

} // namespace reef
