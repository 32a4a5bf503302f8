#pragma once

#include "base/arena.h"

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace reef::http {

/// Why a path is refused.
enum class PathFault : std::uint8_t {
    notAbsolute,  ///< does not begin with `/`
    badEscape,    ///< `%` without two hexadecimal digits
    control,      ///< a control byte or DEL, plain or encoded; NUL above all
    aboveRoot,    ///< `..` at the root
    encodedSlash, ///< `%2F`: no file name holds one, and two servers would read it differently
};

/// 404 for encodedSlash, else 400.
int statusOf(PathFault fault) noexcept;

/// Decodes the path of a request target (RFC 3986 2.1, 5.2.4), once: percent escapes, dot segments
/// (also encoded ones), runs of slashes. `+` stays `+`; bytes that are not UTF-8 pass. The result
/// begins with
/// `/` and has no `.` or `..` segment, no `//` and no control byte; it may hold a `\`. It is
/// `rawPath` itself when nothing had to change, else a text in the arena. `rawPath` comes without
/// its query.
std::expected<std::string_view, PathFault> decodePath(std::string_view rawPath, Arena& memory);

/// A decoded path as it may stand in a link or in Location: bytes other than unreserved,
/// sub-delims, `:`,
/// `@` and `/` become %XX. Several slashes at its start become one: `//evil.example` names a host.
std::string encodePath(std::string_view path);

/// One segment, for a relative link: the same, and `/` becomes %2F. A name with a colon must not
/// begin a relative link (RFC 3986 4.2): write `./` before it.
std::string encodeSegment(std::string_view segment);

} // namespace reef::http
