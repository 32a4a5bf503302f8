#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// ASCII text helpers. None looks at the locale; bytes above 127 are never letters, digits or
/// blanks.
namespace reef::text {

constexpr bool isDigit(char c) noexcept {
    return c >= '0' && c <= '9';
}
constexpr bool isAlpha(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
constexpr char lower(char c) noexcept {
    return (c >= 'A' && c <= 'Z') ? static_cast<char>(c + 32) : c;
}
constexpr char upper(char c) noexcept {
    return (c >= 'a' && c <= 'z') ? static_cast<char>(c - 32) : c;
}

/// The value of a hexadecimal digit, or -1.
constexpr int hexValue(char c) noexcept {
    if (isDigit(c)) return c - '0';
    const char l = lower(c);
    return (l >= 'a' && l <= 'f') ? l - 'a' + 10 : -1;
}

bool equalsIgnoreCase(std::string_view a, std::string_view b) noexcept;
bool startsWithIgnoreCase(std::string_view text, std::string_view prefix) noexcept;
std::string toLower(std::string_view text);

/// Without the spaces and tabs (OWS of RFC 9110 5.6.3) at both ends.
std::string_view trim(std::string_view text) noexcept;

/// The part before the first `separator` (or all), taken off the front of `rest` with the
/// separator. Loop: `while (!rest.empty()) { auto item = trim(takeUntil(rest, ',')); … }`.
std::string_view takeUntil(std::string_view& rest, char separator) noexcept;

/// Digits only, whole string, no sign, no overflow: what a Content-Length may be (RFC 9110 8.6).
std::optional<std::uint64_t> parseDecimal(std::string_view text) noexcept;

/// Replaces & < > " ' by character references: safe in HTML text and in quoted attributes.
std::string escapeHtml(std::string_view text);

/// For a log line or terminal: control bytes and bytes above 126 become \xHH, backslash is doubled.
std::string escapeControls(std::string_view text);

/// Joins strings and integers: `concat("island ", name, " pid ", pid)`.
template<class... Parts>
std::string concat(const Parts&... parts);

namespace detail {
inline void appendPart(std::string& out, std::string_view part) {
    out.append(part);
}
inline void appendPart(std::string& out, char part) {
    out.push_back(part);
}
template<class Integer>
    requires std::is_integral_v<Integer>
void appendPart(std::string& out, Integer part) {
    out.append(std::to_string(part));
}
} // namespace detail

template<class... Parts>
std::string concat(const Parts&... parts) {
    std::string out;
    (detail::appendPart(out, parts), ...);
    return out;
}

} // namespace reef::text
