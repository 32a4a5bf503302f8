#pragma once

#include "base/arena.h"
#include "base/bytes.h"
#include "base/result.h"
#include "http/answer_fields.h"
#include "http/framing.h"
#include "http/method.h"
#include "http/request.h"
#include "http/response.h"

#include <cstddef>
#include <optional>
#include <string_view>

namespace reef::http {

/// What the connection knows when it answers.
struct AnswerContext {
    AnswerContext(Method method, Version version, bool mayKeepAlive) noexcept
        : requestMethod(method), requestVersion(version), keepAlive(mayKeepAlive) {}

    Method requestMethod;
    Version requestVersion;
    const AnswerFields* fields = nullptr; ///< beside those of the handler
    const Trailers* trailers = nullptr;   ///< behind content in chunks
    bool keepAlive; ///< Framing::keepAlive of the request, and nothing on our side is against it
    std::string_view date;      ///< value of Date; empty: no such field
    std::string_view server;    ///< value of Server; empty: no such field
    std::string_view requestId; ///< value of X-Request-Id; empty: the handler's passes
};

/// A response head, ready to be sent, and what it promises.
struct EncodedHead {
    ByteView bytes;
    BodyKind body = BodyKind::none; ///< how the content must follow; none: send no content
    bool keepAlive = false;         ///< the connection stays after this response
    std::size_t dropped = 0; ///< fields left out because their text is not allowed: somebody's bug
};

/// Writes status line, fields and framing (RFC 9112 4, 6) into the arena.
/// - Content: none for HEAD, 1xx, 204, 205 and 304; else Content-Length when `head.length` is known
/// (0
///   too: `body` is then none), else chunked, or until the connection closes for a 1.0 client. HEAD
///   states the length that GET would have; 205 states 0; 1xx, 204 and 304 state none.
/// - `Connection: close` when the connection will not stay; `keep-alive` when it will, for a 1.0
/// client.
/// - Of the handler's fields Connection, Content-Length, Keep-Alive, Proxy-Connection, TE, Trailer,
///   Transfer-Encoding and Upgrade are left out silently; its Date and Server stand instead of
///   ours, our X-Request-Id instead of its.
/// - Trailer is written before chunks, if the context has names for it.
/// - A field whose name is not a token, or whose value holds a control byte (CR, LF, NUL: response
///   splitting), is left out and counted in `dropped`.
/// - A status outside 100..999 is written as 500.
EncodedHead encodeHead(const ResponseHead& head, const AnswerContext& context, Arena& memory);

/// The same into `room`, which must have at least `headSizeBound` bytes, else `tooLarge`.
Result<EncodedHead> encodeHead(const ResponseHead& head, const AnswerContext& context,
                               ByteRoom room);

/// The same into the arena, with `length` in place of `head.length`: for a sink that knows better,
/// so that it needs no copy of the head.
EncodedHead encodeHead(const ResponseHead& head, std::optional<ByteCount> length,
                       const AnswerContext& context, Arena& memory);

/// No encoded head of these arguments is larger.
std::size_t headSizeBound(const ResponseHead& head, const AnswerContext& context) noexcept;

/// The interim response that asks for the content (RFC 9110 15.2.1).
inline constexpr std::string_view kContinueResponse = "HTTP/1.1 100 Continue\r\n\r\n";

} // namespace reef::http
