#pragma once

#include "base/result.h"

#include <sys/socket.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace reef::io {

/// A socket address: IPv4, IPv6 or a unix socket's path. A plain value.
class Address {
public:
    Address() noexcept = default;
    Address(const sockaddr* address, socklen_t length) noexcept;

    /// Reads "127.0.0.1:8080", "[::1]:80", ":80" and "*:80" (all addresses, IPv6 and IPv4), "8080",
    /// and "unix:/run/atoll.sock". No names. Error: malformed.
    static Result<Address> parse(std::string_view text);

    const sockaddr* data() const noexcept { return reinterpret_cast<const sockaddr*>(&storage_); }
    socklen_t size() const noexcept { return length_; }
    int family() const noexcept { return storage_.ss_family; }

    bool isUnix() const noexcept { return storage_.ss_family == AF_UNIX; }
    bool isLoopback() const noexcept;

    /// "192.0.2.7", "2001:db8::1"; an IPv4 address mapped into IPv6 is shown as IPv4; a unix
    /// socket's path.
    std::string host() const;
    std::uint16_t port() const noexcept; ///< 0 for a unix socket

    /// As `parse` reads it.
    std::string describe() const;

private:
    sockaddr_storage storage_{};
    socklen_t length_ = 0;
};

} // namespace reef::io
