#include "io/address.h"

#include "base/text.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/un.h>

#include <cstring>

namespace reef::io {

namespace {

const in6_addr& addressOf(const sockaddr_storage& storage) {
    return reinterpret_cast<const sockaddr_in6&>(storage).sin6_addr;
}

Result<Address> unixAddress(std::string_view path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.empty() || path.size() >= sizeof address.sun_path) return fail(Error::malformed);
    std::memcpy(address.sun_path, path.data(), path.size());
    const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size() + 1);
    return Address(reinterpret_cast<const sockaddr*>(&address), length);
}

Result<Address> ipv6Address(const std::string& host, std::uint16_t port) {
    sockaddr_in6 address{};
    address.sin6_family = AF_INET6;
    address.sin6_port = htons(port);
    if (::inet_pton(AF_INET6, host.c_str(), &address.sin6_addr) != 1) return fail(Error::malformed);
    return Address(reinterpret_cast<const sockaddr*>(&address), sizeof address);
}

Result<Address> ipv4Address(const std::string& host, std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    if (::inet_pton(AF_INET, host.c_str(), &address.sin_addr) != 1) return fail(Error::malformed);
    return Address(reinterpret_cast<const sockaddr*>(&address), sizeof address);
}

} // namespace

Address::Address(const sockaddr* address, socklen_t length) noexcept
    : length_(length <= sizeof storage_ ? length : 0) {
    std::memcpy(&storage_, address, length_);
}

Result<Address> Address::parse(std::string_view text) {
    if (text.starts_with("unix:")) return unixAddress(text.substr(5));
    const auto colon = text.rfind(':');
    const auto portText = colon == std::string_view::npos ? text : text.substr(colon + 1);
    auto host = colon == std::string_view::npos ? std::string_view{} : text.substr(0, colon);
    const auto port = text::parseDecimal(portText);
    if (!port || *port > 65535) return fail(Error::malformed);
    const auto number = static_cast<std::uint16_t>(*port);
    if (host.empty() || host == "*") return ipv6Address("::", number);
    if (host.front() == '[') {
        if (host.back() != ']') return fail(Error::malformed);
        return ipv6Address(std::string(host.substr(1, host.size() - 2)), number);
    }
    return ipv4Address(std::string(host), number);
}

bool Address::isLoopback() const noexcept {
    if (family() == AF_INET) {
        const auto& address = reinterpret_cast<const sockaddr_in&>(storage_);
        return (ntohl(address.sin_addr.s_addr) >> 24U) == 127;
    }
    if (family() == AF_INET6) {
        const in6_addr& address = addressOf(storage_);
        if (IN6_IS_ADDR_V4MAPPED(&address)) return address.s6_addr[12] == 127;
        return IN6_IS_ADDR_LOOPBACK(&address);
    }
    return isUnix();
}

std::string Address::host() const {
    char buffer[INET6_ADDRSTRLEN] = "";
    if (family() == AF_INET) {
        ::inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in&>(storage_).sin_addr, buffer,
                    sizeof buffer);
    } else if (family() == AF_INET6) {
        const in6_addr& address = addressOf(storage_);
        if (IN6_IS_ADDR_V4MAPPED(&address)) {
            ::inet_ntop(AF_INET, &address.s6_addr[12], buffer, sizeof buffer);
        } else {
            ::inet_ntop(AF_INET6, &address, buffer, sizeof buffer);
        }
    } else if (isUnix() && length_ > offsetof(sockaddr_un, sun_path)) {
        return reinterpret_cast<const sockaddr_un&>(storage_).sun_path;
    }
    return buffer;
}

std::uint16_t Address::port() const noexcept {
    if (family() == AF_INET) return ntohs(reinterpret_cast<const sockaddr_in&>(storage_).sin_port);
    if (family() == AF_INET6)
        return ntohs(reinterpret_cast<const sockaddr_in6&>(storage_).sin6_port);
    return 0;
}

std::string Address::describe() const {
    if (isUnix()) return "unix:" + host();
    const auto name = host();
    const bool brackets = name.find(':') != std::string::npos;
    return text::concat(brackets ? "[" : "", name, brackets ? "]:" : ":", port());
}

} // namespace reef::io
