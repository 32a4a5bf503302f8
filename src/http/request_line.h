#pragma once

#include "http/rejection.h"
#include "http/request.h"

#include <expected>
#include <string_view>

namespace reef::http {

/// Takes a request line (without CRLF, RFC 9112 3) apart into method, methodName, version, target,
/// rawPath, query and hasQuery; and authority, when the target is in absolute- or authority-form.
/// Everything is a view of `line` or a literal. methodName and target are set even when it is
/// rejected, as far as they could be read. Rejections: 400, and 505 for a version that is not 1.0
/// or 1.1.
std::expected<void, Rejection> parseRequestLine(std::string_view line, bool nonAsciiTargets,
                                                Request& request) noexcept;

} // namespace reef::http
