#pragma once

#include "base/bytes.h"
#include "http/header_list.h"
#include "http/rejection.h"

#include <cstddef>
#include <cstdint>

namespace reef::http {

/// What ends a line. HTTP/1 has CRLF alone (we do not take the leniency of RFC 9112 2.2); a CGI
/// program may end its lines with a bare LF too (RFC 3875 6.3.4).
enum class LineEnd : std::uint8_t { crlf, crlfOrLf };

/// The outcome of looking at the bytes received so far.
enum class Verdict : std::uint8_t { incomplete, complete, rejected };

/// Finds the end of one line in bytes that arrive piece by piece, looking at each byte once. A line
/// holds no control byte but TAB; anything else ends the search (bare CR, bare LF, NUL, ...).
class LineScan {
public:
    explicit LineScan(LineEnd ends = LineEnd::crlf) noexcept : ends_(ends) {}

    /// The next line begins at offset `begin`.
    void startAt(std::size_t begin) noexcept { begin_ = scanned_ = begin; }

    /// Looks on. `received` holds everything from offset 0; it may have grown and moved since the
    /// last call. rejected: see `reason`, or `tooLong` when the line has more than `limit` bytes.
    Verdict find(ByteView received, std::size_t limit) noexcept;

    std::size_t begin() const noexcept { return begin_; }

    std::size_t end() const noexcept { return end_; }   ///< after `complete`: where the text ends
    std::size_t next() const noexcept { return next_; } ///< after `complete`: where the next begins

    bool tooLong() const noexcept { return tooLong_; }           ///< after `rejected`
    std::string_view reason() const noexcept { return reason_; } ///< after `rejected`; a literal

private:
    Verdict endAt(std::size_t end, std::size_t next) noexcept;
    Verdict reject(std::string_view reason) noexcept;
    Verdict judge(ByteView received, std::size_t control) noexcept;

    std::size_t begin_ = 0;
    std::size_t scanned_ = 0; ///< everything before this offset was looked at
    std::size_t end_ = 0;
    std::size_t next_ = 0;
    std::string_view reason_;
    LineEnd ends_;
    bool tooLong_ = false;
};

/// Limits of a field section.
struct FieldLimits {
    std::size_t bytes =
        32768; ///< offset, from the first byte received, by which it must have ended
    std::size_t fields = 100;
};

/// Reads a field section (RFC 9112 5; also trailers and the head of a CGI answer) up to and
/// including its empty line. Strict: names are tokens directly before the colon, no folding, no
/// control bytes in values. Blanks around values are dropped. The fields are views into `received`.
class FieldLines {
public:
    explicit FieldLines(FieldLimits limits = {}, LineEnd ends = LineEnd::crlf) noexcept
        : limits_(limits), scan_(ends) {}

    /// The section begins at offset `begin` of what is received. Default: 0.
    void startAt(std::size_t begin) noexcept;

    /// Goes on where the last call stopped and adds each complete line to `fields`. `received`
    /// holds everything from offset 0 and may have moved since the last call: the views in
    /// `fields`, which must all be this section's, are then moved with it. Rejections: 400, or 431
    /// for a limit.
    Verdict parse(ByteView received, HeaderList& fields);

    std::size_t length() const noexcept {
        return scan_.next();
    } ///< after `complete`: offset behind
    const Rejection& rejection() const noexcept { return rejection_; } ///< after `rejected`

private:
    Verdict reject(int status, std::string_view reason) noexcept;
    Verdict takeLine(ByteView rest, std::size_t length, HeaderList& fields);

    FieldLimits limits_;
    LineScan scan_;
    Rejection rejection_;
    const char* base_ = nullptr;
};

} // namespace reef::http
