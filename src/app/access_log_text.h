#pragma once

#include "http/request.h"

#include <charconv>
#include <concepts>
#include <string>
#include <string_view>

namespace reef::app {

template<std::integral Integer>
void appendDecimal(std::string& out, Integer value) {
    char digits[24];
    out.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

/// How many bytes at the front are visible ASCII or blanks, and neither quotes nor backslashes.
std::size_t plainPrefix(std::string_view text) noexcept;

/// Quotes and backslashes get a backslash; controls and bytes above 126 become \xHH.
void appendEscaped(std::string& out, std::string_view text);

/// The same; "-" for an empty text.
inline void appendEscapedOrDash(std::string& out, std::string_view text) {
    if (text.empty()) {
        out += '-';
        return;
    }
    appendEscaped(out, text);
}

inline std::string_view protocolOf(const http::Request& request) noexcept {
    return request.version == http::Version::http11 ? "HTTP/1.1" : "HTTP/1.0";
}

} // namespace reef::app
