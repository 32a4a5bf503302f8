#pragma once

#include "http/header_list.h"

#include <string_view>

namespace reef::http {

/// How much a client wants a media type ("text/html"), by its Accept lines (RFC 9110 12.5.1), in
/// thousandths: 0 is not at all. The most specific element that names the type counts; among equal
/// ones the first. Without an Accept line everything is wanted. Elements that are malformed are
/// ignored, and so are parameters but q.
int acceptWeight(const HeaderList& fields, std::string_view mediaType) noexcept;

} // namespace reef::http
