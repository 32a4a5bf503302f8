#pragma once

#include "http/handler.h"

#include <string_view>

namespace reef::http {

/// Answers a request by a method that what it asks for does not have: OPTIONS is told which ones it
/// has (RFC 9110 9.3.7), a method that nobody here knows is a failure 501 (9.1), any other one 405
/// with Allow. `allowed` is a list such as "GET, HEAD, OPTIONS".
Task<Handled> answerOtherMethod(Request& request, ResponseSink& sink, std::string_view allowed);

/// What documents, pages and listings have.
inline constexpr std::string_view kReadingMethods = "GET, HEAD, OPTIONS";

constexpr bool isReading(Method method) noexcept {
    return method == Method::get || method == Method::head;
}

} // namespace reef::http
