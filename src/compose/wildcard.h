#pragma once

#include <cstdint>
#include <string_view>

namespace reef::compose {

/// What a wildcard stands for.
enum class Wildcard : std::uint8_t {
    anything, ///< `*` and `?` match every byte (ap_expr: -strmatch)
    path,     ///< neither matches a slash, `[a-z]` and backslash mean what they do in fnmatch(3)
};

/// Whether the whole text matches. Takes at most the product of both lengths.
bool matchesWildcard(std::string_view text, std::string_view pattern, Wildcard kind) noexcept;

} // namespace reef::compose
