#pragma once

#include "base/bytes.h"
#include "http/header_list.h"
#include "http/rejection.h"

#include <cstddef>
#include <cstdint>

namespace reef::http {

/// What ends a line. HTTP/1 has CRLF alone (RFC 9112 2.2, and we do not take the leniency); a CGI
/// program may end its lines with a bare LF too (RFC 3875 6.3.4).
enum class LineEnd : std::uint8_t { crlf, crlfOrLf };

/// The outcome of looking at the bytes received so far.
enum class Verdict : std::uint8_t { incomplete, complete, rejected };

/// Finds the end of one line in bytes that arrive piece by piece, looking at each byte once. A line
/// holds no control byte but TAB; anything else ends the search with a rejection (bare CR, bare LF,
/// NUL, ...).
class LineScan {
public:
    explicit LineScan(LineEnd ends = LineEnd::crlf) noexcept : ends_(ends) {}

    /// The next line begins at offset `begin`.
    void startAt(std::size_t begin) noexcept { begin_ = scanned_ = begin; }

    /// Looks on. `received` holds everything from offset 0; it may have grown and moved since the
    /// last call. incomplete: no end among the first `limit` bytes received, come back with more of
    /// them.
    Verdict find(ByteView received, std::size_t limit) noexcept;

    std::size_t begin() const noexcept { return begin_; }
    std::size_t end() const noexcept {
        return end_;
    } ///< after `complete`: where the line's text ends
    std::size_t next() const noexcept {
        return next_;
    } ///< after `complete`: where the next line begins
    std::string_view reason() const noexcept { return reason_; } ///< after `rejected`

private:
    std::size_t begin_ = 0;
    std::size_t scanned_ = 0;
    std::size_t end_ = 0;
    std::size_t next_ = 0;
    std::string_view reason_;
    LineEnd ends_;
};

/// Limits of a field section.
struct FieldLimits {
    std::size_t bytes =
        32768; ///< offset (from the start of what was received) at which it must have ended
    std::size_t fields = 100;
};

/// Reads a field section (RFC 9112 5, also the trailers and the head of a CGI answer) up to and
/// including its empty line. Strict: names are tokens directly before the colon, no folding, no
/// control bytes in values. Blanks around values are dropped. The fields are views into `received`.
class FieldLines {
public:
    explicit FieldLines(FieldLimits limits = {}, LineEnd ends = LineEnd::crlf) noexcept
        : limits_(limits), scan_(ends) {}

    /// The section begins at offset `begin` of what is received.
    void startAt(std::size_t begin) noexcept;

    /// Goes on where the last call stopped and adds each complete line to `fields`. `received`
    /// holds everything from offset 0 and may have moved since: then the fields found so far are
    /// moved with it. Rejections: 400, or 431 for a limit.
    Verdict parse(ByteView received, HeaderList& fields);

    std::size_t length() const noexcept {
        return scan_.next();
    } ///< after `complete`: offset behind the section
    const Rejection& rejection() const noexcept { return rejection_; }

private:
    Verdict reject(int status, std::string_view reason) noexcept;
    Verdict takeLine(std::string_view line, HeaderList& fields);

    FieldLimits limits_;
    LineScan scan_;
    Rejection rejection_;
    const char* base_ = nullptr;
};

} // namespace reef::http
