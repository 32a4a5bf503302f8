#pragma once

#include "base/result.h"
#include "io/address.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace reef::io {

/// An internet address without a port, as IPv6; IPv4 as mapped into it (RFC 4291 2.5.5.2), so that
/// the same host is the same bits on every listener.
using HostBits = std::array<std::uint8_t, 16>;

/// "192.0.2.7", "2001:db8::1"; nothing for anything else (names, ports, brackets, zones).
std::optional<HostBits> parseHost(std::string_view text) noexcept;

/// Nothing for a unix socket.
std::optional<HostBits> hostOf(const Address& address) noexcept;

/// What one customer of a network is usually given: the address itself for IPv4, the /64 for IPv6.
/// Limits count by it.
HostBits customerOf(const HostBits& host) noexcept;

/// A block of addresses: "192.0.2.0/24", "2001:db8::/32", or a single address.
class Network {
public:
    /// Error: malformed (no address, a prefix that is too long, bits set behind the prefix).
    static Result<Network> parse(std::string_view text);

    bool contains(const HostBits& host) const noexcept;

private:
    Network(const HostBits& bits, unsigned prefix) noexcept : bits_(bits), prefix_(prefix) {}

    HostBits bits_;
    unsigned prefix_; ///< of the 128 bits
};

using Networks = std::vector<Network>;

bool anyContains(std::span<const Network> networks, const HostBits& host) noexcept;

} // namespace reef::io
