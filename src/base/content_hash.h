#pragma once

#include "base/bytes.h"

#include <array>
#include <cstdint>
#include <string>

namespace reef {

/// Tells contents apart, fast: 128 bits, the same on every machine and however the bytes come in
/// pieces. Not for secrets: whoever wants to can make two contents of one hash.
class ContentHash {
public:
    void add(ByteView bytes) noexcept;

    /// 32 hexadecimal digits.
    std::string text() const;

private:
    using Block = std::array<char, 16>;

    void mix(const char* block) noexcept;

    std::uint64_t low_ = 0x243F'6A88'85A3'08D3; // digits of pi
    std::uint64_t high_ = 0x1319'8A2E'0370'7344;
    std::uint64_t size_ = 0;
    Block waiting_{}; ///< the first size_ % 16 of them
};

} // namespace reef
