#include "base/content_hash.h"

#include <algorithm>
#include <cstring>

namespace reef {

namespace {

// Odd, with about as many ones as zeros; digits of pi.
constexpr std::uint64_t kFirst = 0xA409'3822'299F'31D1;
constexpr std::uint64_t kSecond = 0x082E'FA98'EC4E'6C89;

/// Both halves of the product of 64 x 64 bits in one.
std::uint64_t folded(std::uint64_t a, std::uint64_t b) noexcept {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
}

std::uint64_t wordAt(const char* bytes) noexcept {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, sizeof word);
    return word;
}

} // namespace

/// Each word goes into both halves, by another factor.
void ContentHash::mix(const char* block) noexcept {
    const auto first = wordAt(block);
    const auto second = wordAt(block + 8);
    low_ = folded(low_ ^ first, kFirst ^ second);
    high_ = folded(high_ ^ second, kSecond ^ first) + low_;
}

void ContentHash::add(ByteView bytes) noexcept {
    const auto held = static_cast<std::size_t>(size_ % waiting_.size());
    size_ += bytes.size();
    if (held != 0) {
        const auto part = std::min(bytes.size(), waiting_.size() - held);
        std::ranges::copy(bytes.first(part), waiting_.begin() + static_cast<std::ptrdiff_t>(held));
        bytes = bytes.subspan(part);
        if (held + part != waiting_.size()) return;
        mix(waiting_.data());
    }
    while (bytes.size() >= waiting_.size()) {
        mix(bytes.data());
        bytes = bytes.subspan(waiting_.size());
    }
    std::ranges::copy(bytes, waiting_.begin());
}

std::string ContentHash::text() const {
    ContentHash last = *this;
    const auto held = static_cast<std::size_t>(size_ % waiting_.size());
    std::fill(last.waiting_.begin() + static_cast<std::ptrdiff_t>(held), last.waiting_.end(), '\0');
    last.mix(last.waiting_.data());
    const auto low = folded(last.low_ ^ size_, kFirst);
    const auto high = folded(last.high_ ^ low, kSecond ^ size_);
    std::string out;
    for (const auto word : {high, low})
        for (unsigned shift = 64; shift != 0; shift -= 4)
            out += "0123456789abcdef"[(word >> (shift - 4U)) & 0xFU];
    return out;
}

} // namespace reef
