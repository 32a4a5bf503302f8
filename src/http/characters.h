#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace reef::http {

/// Classes of bytes, one bit each, for the tables of the codecs. Bytes above 127 are in `wide`
/// alone.
enum CharClass : std::uint8_t {
    tokenChar = 1,  ///< tchar (RFC 9110 5.6.2): methods, field names
    targetChar = 2, ///< visible ASCII that may stand in a request target: all but `#`
    hostChar = 4,   ///< letters, digits, `-`, `_`: what we take in a host's label
    pathChar = 8,   ///< pchar or `/` (RFC 3986 3.3), without `%`: needs no escape in a path
    textChar = 16,  ///< no control byte but TAB: what a field value may hold
    wideChar = 32,  ///< 0x80 to 0xff
};

namespace detail {
constexpr std::array<std::uint8_t, 256> makeCharClasses() {
    std::array<std::uint8_t, 256> table{};
    constexpr std::string_view tokenMarks = "!#$%&'*+-.^_`|~";
    constexpr std::string_view pathMarks = "-._~!$&'()*+,;=:@/";
    for (unsigned i = 0; i < 256; ++i) {
        const char c = static_cast<char>(i);
        const bool alnum =
            (i >= '0' && i <= '9') || (i >= 'A' && i <= 'Z') || (i >= 'a' && i <= 'z');
        unsigned bits = 0;
        if (alnum || (i < 128 && tokenMarks.contains(c))) bits |= tokenChar;
        if (i > 0x20 && i < 0x7f && c != '#') bits |= targetChar;
        if (alnum || c == '-' || c == '_') bits |= hostChar;
        if (alnum || (i < 128 && pathMarks.contains(c))) bits |= pathChar;
        if (c == '\t' || (i >= 0x20 && i != 0x7f)) bits |= textChar;
        if (i >= 0x80) bits |= wideChar;
        table[i] = static_cast<std::uint8_t>(bits);
    }
    return table;
}
inline constexpr auto kCharClasses = makeCharClasses();
} // namespace detail

/// Whether `c` is in one of these classes: `isIn(c, targetChar | wideChar)`.
constexpr bool isIn(char c, unsigned classes) noexcept {
    return (detail::kCharClasses[static_cast<unsigned char>(c)] & classes) != 0;
}

/// The first byte that is in none of these classes, or the end.
constexpr const char* skipWhile(const char* begin, const char* end, unsigned classes) noexcept {
    while (begin != end && isIn(*begin, classes))
        ++begin;
    return begin;
}

/// A token (RFC 9110 5.6.2): at least one tchar and nothing else.
constexpr bool isToken(std::string_view text) noexcept {
    const char* end = text.data() + text.size();
    return !text.empty() && skipWhile(text.data(), end, tokenChar) == end;
}

// The scans of every byte of a head, sixteen bytes at a time.

/// The first control byte (below 0x20 but TAB, or 0x7f), or `end`.
const char* findControl(const char* begin, const char* end) noexcept;

/// The first byte that is no tokenChar, or `end`; fast for letters, digits and `-`.
const char* skipToken(const char* begin, const char* end) noexcept;

/// The first byte that is no targetChar, or `end`.
const char* skipTarget(const char* begin, const char* end) noexcept;

} // namespace reef::http
