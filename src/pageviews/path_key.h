#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace reef::pageviews {

/// A key is never longer, in bytes.
inline constexpr std::size_t kMaxKeyBytes = 1024;

/// The one spelling under which all spellings of a page's address are counted (rule R7). For
/// "/a//./%7Eb" it is "/a/~b". Pure, total (any bytes give a key), and the key of a key is that
/// key.
///
/// - Escapes of unreserved characters (RFC 3986 2.3) and of well-formed UTF-8 are decoded; every
/// other byte
///   that may not stand in a path, invalid UTF-8 and invisible code points are %XX with capital
///   digits.
/// - Empty segments go, dot segments are resolved after decoding and never above the root; a
/// trailing slash
///   and the case of letters matter.
/// - The query goes, but for the parameters named in `keptParameters`, in that order, each at its
/// first place.
/// - What is longer than kMaxKeyBytes is cut at a character and closed by "~" and a hash of the
/// whole.
///
/// The key is valid UTF-8, begins with "/" and holds no blank, double quote, angle bracket or
/// control.
std::string pathKey(std::string_view path, std::string_view query = {},
                    std::span<const std::string> keptParameters = {});

/// The spelling under which a Referer is kept: host (small letters, no default port) and path
/// without trailing slash, query, fragment and credentials: "example.org/a". Empty when absent or
/// from `ownHost`. What is no http address is kept as text, cleaned as above; it must be shown as
/// text, never as a link.
std::string referrerKey(std::string_view referrer, std::string_view ownHost);

} // namespace reef::pageviews
