#pragma once

#include "base/bytes.h"
#include "http/field_lines.h"
#include "http/rejection.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace reef::http {

/// The header of the PROXY protocol, versions 1 and 2 (HAProxy's proxy-protocol.txt): what a proxy
/// sends before the first byte of a client's connection to say who the client is.
struct ProxyHeader {
    /// `none`: the connection speaks for itself (LOCAL, UNKNOWN, UNSPEC).
    enum class Family : std::uint8_t { none, ipv4, ipv6, unixSocket };

    Family family = Family::none;
    std::string sourceAddress; ///< of the client, as inet_ntop writes it; "" for none and unix
    std::uint16_t sourcePort = 0;
    std::string destinationAddress; ///< where the client connected to
    std::uint16_t destinationPort = 0;
};

/// Reads one header from bytes that arrive piece by piece. Strict: single spaces, plain decimal
/// ports, no datagrams, no other version; the type-length-values of version 2 must be well-formed
/// and are skipped. Never asks for more than `kMaxBytes`.
///
///     switch (parser.parse(received)) {
///     case Verdict::incomplete: // read more behind `received`, call again
///     case Verdict::complete:   // the client's bytes begin at received[parser.length()]
///     case Verdict::rejected:   // close: whoever this is, it is not the proxy
///     }
class ProxyHeaderParser {
public:
    static constexpr std::size_t kMaxLineBytes = 107; ///< version 1, with its CRLF
    static constexpr std::size_t kMaxBytes = 4096;    ///< version 2, with its first 16

    Verdict parse(ByteView received);

    const ProxyHeader& header() const noexcept { return header_; } ///< after `complete`
    std::size_t length() const noexcept { return length_; }        ///< after `complete`
    std::string_view reason() const noexcept { return reason_; }   ///< after `rejected`; a literal

private:
    Verdict parseText(ByteView received);
    Verdict parseBinary(ByteView received);
    Verdict takeLine(std::string_view line);
    Verdict takeAddresses(unsigned char family, ByteView content);
    Verdict reject(std::string_view reason) noexcept;

    ProxyHeader header_;
    std::size_t length_ = 0;
    std::string_view reason_;
};

} // namespace reef::http
