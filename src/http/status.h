#pragma once

#include <string_view>

namespace reef::http {

/// The reason phrase of a registered status code (RFC 9110 15), "" for others.
std::string_view reasonOf(int status) noexcept;

/// "HTTP/1.1 404 Not Found\r\n" for a registered status code, "" for others.
std::string_view statusLineOf(int status) noexcept;

/// Whether a response with this status has no content, whatever the handler says (RFC 9110 6.4.1).
constexpr bool forbidsContent(int status) noexcept {
    return status < 200 || status == 204 || status == 304;
}

} // namespace reef::http
