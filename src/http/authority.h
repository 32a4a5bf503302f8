#pragma once

#include "base/arena.h"

#include <optional>
#include <string_view>

namespace reef::http {

/// Checks an authority (`host [":" port]`, RFC 3986 3.2 without user information) and gives its
/// host in lower case, without port and without the dot at the end of a fully qualified name; IPv6
/// keeps its brackets. Labels are letters, digits, `-` and `_`, and never empty; no percent
/// escapes. The text is a view of `authority`, or of `memory` when it held capitals. Nothing: not
/// an authority that we take.
std::optional<std::string_view> hostOf(std::string_view authority, Arena& memory);

/// The port of an authority that `hostOf` took; "" when it has none.
std::string_view portOf(std::string_view authority) noexcept;

} // namespace reef::http
