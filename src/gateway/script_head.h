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
///
/// Of Content-Type, Content-Length, Location and Status a second line is an error, unless it says
/// the same as the first. Fields about the connection (Connection, Keep-Alive, Upgrade and the
/// like), Date and Server are the server's own and are dropped, as are X-Accel-… fields;
/// Transfer-Encoding is an error. All others are passed on as they are.
class ScriptHead {
public:
    static constexpr std::size_t kMaxBytes = 65536;
    static constexpr std::size_t kMaxFields = 200;

    enum class Form : std::uint8_t {
        parsed, ///< fields alone
        nph,    ///< a whole HTTP/1 head (RFC 3875 5): a status line, then fields that mean what
                ///< they mean in HTTP; it is framed anew, so that the connection can stay
    };

    /// By the name of the program: `nph-` begins that of a "no parsed header" script.
    static Form formOf(std::string_view islandName) noexcept;

    enum class Kind : std::uint8_t {
        document,       ///< content follows, or nothing (with Status: 204 and the like)
        localRedirect,  ///< `Location: /path` without Status: the server answers with that path
                        ///< itself (6.2.2)
        clientRedirect, ///< a URL for the client (6.2.3, 6.2.4): 302 unless Status says otherwise
        innerPath,      ///< `X-Accel-Redirect: /path`
        file,           ///< `X-Sendfile: /name`; stands over X-Accel-Redirect and Location
    };

    explicit ScriptHead(std::pmr::memory_resource& memory, Form form = Form::parsed)
        : form_(form), statusLine_(http::LineEnd::crlfOrLf),
          lines_(http::FieldLimits{kMaxBytes, kMaxFields}, http::LineEnd::crlfOrLf), head_(memory) {
    }

    /// `received` holds all bytes from the first one and may have moved. Rejected: see `reason`.
    http::Verdict parse(ByteView received);

    std::size_t length() const noexcept { return lines_.length(); } ///< after `complete`

    /// After `rejected`, for the log. It quotes a line that cannot be understood, made safe and
    /// short.
    const std::string& reason() const noexcept { return reason_; }

    Kind kind() const noexcept { return kind_; }

    /// Whether the site is to answer with something else than what follows.
    bool handsOver() const noexcept {
        return kind_ != Kind::document && kind_ != Kind::clientRedirect;
    }
    std::string_view target() const noexcept { return target_; } ///< of a head that hands over

    /// Status with its reason phrase, and fields for the client, without `Status`, and with
    /// `length` from Content-Length. Views into `received`.
    const http::ResponseHead& head() const noexcept { return head_; }

    /// The announced length has turned out to be wrong.
    void forgetLength() noexcept { head_.length.reset(); }

private:
    http::Verdict parseStatusLine(ByteView received);
    http::Verdict decide();
    bool takeStatus();
    void takeReason(std::string_view behindStatus);
    bool takeLength();
    void takeTarget();
    void dropServersOwn();
    http::Verdict reject(std::string reason);

    Form form_;
    http::LineScan statusLine_;
    bool hasStatusLine_ = false; ///< it was read
    http::FieldLines lines_;
    http::ResponseHead head_;
    std::string_view target_;
    std::string reason_;
    Kind kind_ = Kind::document;
};

} // namespace reef::gateway
