#include "app/access_log_text.h"

#include <cstdint>
#include <cstring>

namespace reef::app {

namespace {

bool isPlain(char c) noexcept {
    return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

constexpr std::uint64_t kOnes = 0x0101010101010101;
constexpr std::uint64_t kHighBits = kOnes << 7U;

constexpr std::uint64_t eachByte(unsigned char c) noexcept {
    return kOnes * c;
}

/// Not 0 when a byte of the word is 0 (Mycroft, 1987; a byte above 127 may hide one below it).
constexpr std::uint64_t zeroByteIn(std::uint64_t word) noexcept {
    return (word - kOnes) & ~word & kHighBits;
}

/// Eight bytes at once: most of what is logged is plain.
bool arePlain(std::uint64_t word) noexcept {
    const std::uint64_t controls = (word - eachByte(0x20)) & ~word & kHighBits;
    return (word & kHighBits) == 0 && controls == 0 && zeroByteIn(word ^ eachByte(0x7f)) == 0 &&
           zeroByteIn(word ^ eachByte('"')) == 0 && zeroByteIn(word ^ eachByte('\\')) == 0;
}

} // namespace

std::size_t plainPrefix(std::string_view text) noexcept {
    std::size_t plain = 0;
    for (std::uint64_t word = 0; plain + sizeof word <= text.size(); plain += sizeof word) {
        std::memcpy(&word, text.data() + plain, sizeof word);
        if (!arePlain(word)) break;
    }
    while (plain < text.size() && isPlain(text[plain]))
        ++plain;
    return plain;
}

void appendEscaped(std::string& out, std::string_view text) {
    static constexpr char kHex[] = "0123456789abcdef";
    while (!text.empty()) {
        const std::size_t plain = plainPrefix(text);
        out.append(text.substr(0, plain));
        if (plain == text.size()) return;
        const char c = text[plain];
        if (c == '"' || c == '\\') {
            out += {'\\', c};
        } else {
            const auto byte = static_cast<unsigned char>(c);
            out += {'\\', 'x', kHex[byte >> 4U], kHex[byte & 15U]};
        }
        text.remove_prefix(plain + 1);
    }
}

} // namespace reef::app
