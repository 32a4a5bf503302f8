#pragma once

#include <string_view>

namespace reef::http {

/// Type of a file whose name tells nothing.
inline constexpr std::string_view kUnknownMediaType = "application/octet-stream";

/// The Content-Type for a file by the extension of its name, without case; text types come with
/// `; charset=utf-8`. A name without a known extension: kUnknownMediaType. The text is static.
std::string_view mediaTypeOf(std::string_view fileName) noexcept;

/// Whether a Content-Type names this type, without case and whatever its parameters:
/// `isMediaType("Text/HTML; charset=utf-8", "text/html")`.
bool isMediaType(std::string_view contentType, std::string_view essence) noexcept;

/// Whether content of this type shrinks when compressed: text, JSON, XML, script, SVG, fonts and
/// the like.
bool isCompressible(std::string_view contentType) noexcept;

} // namespace reef::http
