#pragma once

#include <string_view>

namespace reef::http {

/// The reason phrase of a status code as registered (RFC 9110 15), "" for codes without one.
std::string_view reasonOf(int status) noexcept;

/// Whether a final response with this status has no content whatever the handler says (RFC
/// 9110 6.4.1).
constexpr bool forbidsContent(int status) noexcept {
    return status < 200 || status == 204 || status == 304;
}

} // namespace reef::http
