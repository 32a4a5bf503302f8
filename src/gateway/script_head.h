#pragma once

#include "base/bytes.h"
#include "http/field_lines.h"
#include "http/header_list.h"
#include "http/response.h"

#include <cstddef>
#include <memory_resource>
#include <string>
#include <string_view>

namespace reef::gateway {

/// Reads the head of a CGI answer (RFC 3875 6) from bytes that arrive piece by piece: lines end in
/// LF or CRLF, an empty line ends it. Pure.
class ScriptHead {
public:
    static constexpr std::size_t kMaxBytes = 65536;

    enum class Kind : std::uint8_t {
        document,       ///< content follows, or nothing (with Status: 204 and the like)
        localRedirect,  ///< `Location: /path` without Status: the server answers with that path
                        ///< itself (6.2.2)
        clientRedirect, ///< a URL for the client (6.2.3, 6.2.4): 302 unless Status says otherwise
    };

    explicit ScriptHead(std::pmr::memory_resource& memory)
        : lines_(http::FieldLimits{kMaxBytes, 200}, http::LineEnd::crlfOrLf), head_(memory) {}

    /// `received` holds all bytes from the first one and may have moved. Rejected: see `reason`.
    http::Verdict parse(ByteView received);

    std::size_t length() const noexcept { return lines_.length(); } ///< after `complete`

    /// After `rejected`, for the log. It quotes a line that cannot be understood, made safe and
    /// short.
    const std::string& reason() const noexcept { return reason_; }

    Kind kind() const noexcept { return kind_; }
    std::string_view location() const noexcept { return location_; } ///< of a local redirect

    /// Status with its reason phrase, and fields for the client, without `Status`, and with
    /// `length` from Content-Length. Views into `received`.
    const http::ResponseHead& head() const noexcept { return head_; }

    /// The announced length has turned out to be wrong.
    void forgetLength() noexcept { head_.length.reset(); }

private:
    http::Verdict decide();
    http::Verdict reject(std::string reason);

    http::FieldLines lines_;
    http::ResponseHead head_;
    std::string_view location_;
    std::string reason_;
    Kind kind_ = Kind::document;
};

} // namespace reef::gateway
