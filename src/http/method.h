#pragma once

#include <cstdint>
#include <string_view>

namespace reef::http {

/// Request methods (RFC 9110 9.3, and PATCH of RFC 5789). Any other token is `other`; its name
/// stays with the request. Methods are case-sensitive: `get` is `other`.
enum class Method : std::uint8_t {
    get,
    head,
    post,
    put,
    del,
    connect,
    options,
    trace,
    patch,
    other
};

Method methodNamed(std::string_view name) noexcept;

/// "GET" and so on; "" for `other`.
std::string_view nameOf(Method method) noexcept;

/// Safe in the sense of RFC 9110 9.2.1: the client asks for no change of state.
constexpr bool isSafe(Method method) noexcept {
    return method == Method::get || method == Method::head || method == Method::options ||
           method == Method::trace;
}

} // namespace reef::http
