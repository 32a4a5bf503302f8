#pragma once

#include "base/bytes.h"
#include "http/header_list.h"
#include "http/rejection.h"
#include "http/request.h"

#include <cstdint>
#include <expected>
#include <optional>

namespace reef::http {

/// How the end of a message's content is found (RFC 9112 6.3). `untilClose` exists for responses
/// alone.
enum class BodyKind : std::uint8_t { none, length, chunked, untilClose };

/// What the fields of a request say about its content and its connection.
struct Framing {
    BodyKind body = BodyKind::none; ///< none also for `Content-Length: 0`
    ByteCount length = 0;           ///< with BodyKind::length, at least 1
    bool keepAlive = true;          ///< the client wants the connection to stay
    bool expectContinue = false;    ///< it waits for `100 Continue` before it sends its content
};

/// Decides the framing of a request; 400, 417 and 501 as RFC 9112 6.1-6.3 and RFC 9110 10.1.1 say.
/// Every way in which two servers could find different ends is refused: both Content-Length and
/// Transfer-Encoding, more than one length, a coding that is not a single final `chunked`, any
/// coding with HTTP/1.0.
std::expected<Framing, Rejection> framingOf(const HeaderList& fields, Version version) noexcept;

/// The length that a message states: nothing when it states none. Error: more than one line, a
/// list, or anything but digits up to 2^63 - 1.
std::expected<std::optional<ByteCount>, Rejection>
contentLengthIn(const HeaderList& fields) noexcept;

/// Whether a message is chunked. Error 400: Transfer-Encoding that does not end in exactly one
/// `chunked`; 501: other codings before it.
std::expected<bool, Rejection> chunkedIn(const HeaderList& fields) noexcept;

} // namespace reef::http
