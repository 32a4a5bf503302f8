#pragma once

#include "http/rejection.h"
#include "http/request.h"

#include <expected>
#include <optional>
#include <string_view>

namespace reef::http {

/// Takes a request line (without CRLF, RFC 9112 3) apart into method, methodName, version, target,
/// rawPath, query, hasQuery and, for the absolute- and authority-form, authority. Rejections: 400,
/// 505.
std::expected<void, Rejection> parseRequestLine(std::string_view line, bool nonAsciiTargets,
                                                Request& request) noexcept;

/// Checks an authority (`host [":" port]`, RFC 3986 3.2 without user information) and gives its
/// host in lower case, without port and without the dot of a fully qualified name; IPv6 keeps its
/// brackets. The text is a view of `authority`, or of `memory` when it held capitals. Nothing: not
/// a host that we accept.
std::optional<std::string_view> hostOf(std::string_view authority, Arena& memory);

} // namespace reef::http
