#pragma once

#include "compose/host.h"

#include <expected>
#include <string_view>

namespace reef::compose {

/// Includes between the client's request and a fragment, at most.
inline constexpr int kMaxDepth = 10;

/// Finds out what an include of `page` names. `virtual`: a URL path, absolute or relative to the
/// page's (RFC 3986 5.2; `?x` alone is the page itself with another query), no scheme, no host; a
/// fragment `#x` is dropped. `file`: a path relative to the page's directory and below it, taken
/// literally: no `..`, not absolute, no query. The error is a literal, for the log.
std::expected<FragmentSpec, std::string_view> resolve(FragmentKind kind, std::string_view value,
                                                      const http::Request& page);

/// Why this fragment may not be included where it is: it is too deep, or it is (path and query) one
/// of the pages that it would stand in. Empty: it may.
std::string_view lineageFault(const FragmentSpec& spec) noexcept;

} // namespace reef::compose
