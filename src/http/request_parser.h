#pragma once

#include "base/bytes.h"
#include "http/field_lines.h"
#include "http/framing.h"
#include "http/rejection.h"
#include "http/request.h"

#include <cstddef>
#include <cstdint>

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
///     case Verdict::incomplete: // read more behind `received`, call again
///     case Verdict::complete:   // the content begins at received[parser.headLength()]
///     case Verdict::rejected:   // answer parser.rejection().status, close
///     }
class RequestParser {
public:
    explicit RequestParser(HeadLimits limits = {}) noexcept;

    /// `received` holds everything from the first byte of this request; between calls it may only
    /// grow, and its memory may move. Pass the same fresh `request` until the verdict is final.
    ///
    /// After `complete` method, methodName, version, target, rawPath, query, hasQuery, host,
    /// authority and fields are set (`path` is not: see decodePath), as views of `received`, of the
    /// arena, or of literals: `received` must now stay where it is until the response has ended. An
    /// absolute-form target wins over Host: the Host field gets its authority (RFC 9112 3.2.2).
    /// rawPath is "*" for `OPTIONS *`, and empty for CONNECT. host and authority are empty for
    /// a 1.0 request without Host.
    ///
    /// After `rejected` methodName and target are set as far as they could be read, for the log.
    Verdict parse(ByteView received, Request& request);

    std::size_t headLength() const noexcept { return fields_.length(); } ///< after `complete`
    const Framing& framing() const noexcept { return framing_; }         ///< after `complete`
    const Rejection& rejection() const noexcept { return rejection_; }   ///< after `rejected`

    /// Ready for the next request, with the same limits.
    void reset() noexcept { *this = RequestParser(limits_); }

private:
    Verdict readRequestLine(ByteView received, Request& request);
    Verdict takeRequestLine(ByteView received, Request& request) noexcept;
    Verdict readFields(ByteView received, Request& request);
    Verdict takeHost(Request& request);
    Verdict reject(Rejection why) noexcept;

    HeadLimits limits_;
    LineScan line_;
    FieldLines fields_;
    Framing framing_;
    Rejection rejection_;
    const char* base_ = nullptr; ///< where `received` was when the request line was taken from it
};

} // namespace reef::http
