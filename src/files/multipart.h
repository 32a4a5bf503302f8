#pragma once

#include "files/representation.h"

namespace reef::files {

/// Sends several parts as multipart/byteranges (RFC 9110 14.6) behind `head`, whose Content-Type is
/// replaced.
Task<http::Handled> sendParts(http::Request& request, http::ResponseSink& sink,
                              http::ResponseHead& head, const Representation& what,
                              const http::RangeRequest& wanted);

} // namespace reef::files
