#pragma once

#include "http/header_list.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace reef::http {

/// How content is coded on its way (RFC 9110 8.4.1).
enum class ContentCoding : std::uint8_t { identity, gzip, zstd, br };

/// The coding's token, as Content-Encoding names it: "gzip", "identity".
std::string_view tokenOf(ContentCoding coding) noexcept;

/// The coding for a client, by its Accept-Encoding lines (RFC 9110 12.5.3), out of those that are
/// `available` (in the server's order of preference, best first; identity needs no mention). The
/// highest q-value counts; among equal ones the server's order, and coded content before identity.
///
/// A client that sends no Accept-Encoding gets identity. So does one that accepts nothing there is,
/// not even identity: content it may not understand is more use than none. Elements that are
/// malformed (no token, an odd q-value) are ignored; `x-gzip` is `gzip`; of a coding named twice
/// the first mention counts.
ContentCoding chooseCoding(const HeaderList& fields,
                           std::span<const ContentCoding> available) noexcept;

} // namespace reef::http
