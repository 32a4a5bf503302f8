#pragma once

#include "base/bytes.h"
#include "http/field_lines.h"
#include "http/framing.h"
#include "http/rejection.h"
#include "http/request.h"

#include <cstddef>

namespace reef::http {

/// Limits of a request head, in bytes.
struct HeadLimits {
    std::size_t requestLine = 8192; ///< without its CRLF; beyond: 414
    std::size_t head = 32768;       ///< all of it, with the empty line; beyond: 431
    std::size_t fields = 100;       ///< field lines; beyond: 431
    bool nonAsciiTargets = false;   ///< take bytes above 127 in a target (else 400)
};

/// Reads the head of one request (RFC 9112 2-3, 5) from bytes that arrive piece by piece. Looks at
/// each byte once, keeps its place between calls, allocates nothing but the field list in the
/// request's arena. Strict: what two servers could read differently is rejected, and the connection
/// must then be closed. One empty line before the request line is skipped (RFC 9112 2.2).
///
///     switch (parser.parse(received, request)) {
///     case Verdict::incomplete: read more behind `received`, call again
///     case Verdict::complete:   content begins at received[parser.headLength()]
///     case Verdict::rejected:   answer parser.rejection().status, close
///     }
class RequestParser {
public:
    explicit RequestParser(HeadLimits limits = {}) noexcept;

    /// `received` holds everything from the first byte of this request; between calls it may only
    /// grow, and its memory may move. The same fresh `request` is passed until the verdict is
    /// final. After `complete` its method, methodName, version, target, rawPath, query, hasQuery,
    /// host, authority and fields are set (`path` is not: see decodePath), as views into `received`
    /// and the arena: `received` must stay where it is until the response has ended. After
    /// `rejected` methodName and target are set when the request line could be read, for the log.
    /// An absolute-form target wins over Host: the Host field is replaced by its authority (RFC
    /// 9112 3.2.2). Forms: rawPath is "*" with `OPTIONS *`, and empty with CONNECT.
    Verdict parse(ByteView received, Request& request);

    std::size_t headLength() const noexcept { return fields_.length(); } ///< after `complete`
    const Framing& framing() const noexcept { return framing_; }         ///< after `complete`
    const Rejection& rejection() const noexcept { return rejection_; }   ///< after `rejected`

    /// Ready for the next request, with the same limits.
    void reset() noexcept;

private:
    enum class Stage : std::uint8_t { start, requestLine, fields, done };

    Verdict skipEmptyLine(ByteView received) noexcept;
    Verdict readRequestLine(ByteView received, Request& request);
    Verdict readFields(ByteView received, Request& request);
    Verdict finish(Request& request);
    Verdict reject(Rejection why) noexcept;

    HeadLimits limits_;
    LineScan line_;
    FieldLines fields_;
    Framing framing_;
    Rejection rejection_;
    std::size_t lineBegin_ = 0;
    Stage stage_ = Stage::start;
};

} // namespace reef::http
