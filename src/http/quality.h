#pragma once

#include <optional>
#include <string_view>

namespace reef::http {

/// Thousandths of a quality value (RFC 9110 12.4.2: "0", "0.25", "1.000"); nothing when it is
/// malformed.
std::optional<int> parseQuality(std::string_view text) noexcept;

} // namespace reef::http
