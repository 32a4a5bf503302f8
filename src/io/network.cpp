#include "io/network.h"

#include "base/text.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <cstring>

namespace reef::io {

namespace {

constexpr HostBits kMapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
constexpr std::size_t kMappedBytes = 12;

HostBits mapped(const in_addr& address) noexcept {
    HostBits bits = kMapped;
    std::memcpy(bits.data() + kMappedBytes, &address, sizeof address);
    return bits;
}

bool isMapped(const HostBits& host) noexcept {
    return std::equal(host.begin(), host.begin() + kMappedBytes, kMapped.begin());
}

/// The bits of byte `index` that lie within the first `prefix` bits.
std::uint8_t maskOf(std::size_t index, unsigned prefix) noexcept {
    const unsigned before = static_cast<unsigned>(index) * 8;
    if (prefix >= before + 8) return 0xff;
    if (prefix <= before) return 0;
    return static_cast<std::uint8_t>(0xff00U >> (prefix - before));
}

} // namespace

std::optional<HostBits> parseHost(std::string_view text) noexcept {
    std::array<char, INET6_ADDRSTRLEN + 1> copy{};
    if (text.size() >= copy.size()) return std::nullopt;
    std::ranges::copy(text, copy.begin());
    in_addr v4{};
    if (::inet_pton(AF_INET, copy.data(), &v4) == 1) return mapped(v4);
    HostBits bits{};
    if (::inet_pton(AF_INET6, copy.data(), bits.data()) == 1) return bits;
    return std::nullopt;
}

std::optional<HostBits> hostOf(const Address& address) noexcept {
    if (address.family() == AF_INET)
        return mapped(reinterpret_cast<const sockaddr_in*>(address.data())->sin_addr);
    if (address.family() != AF_INET6) return std::nullopt;
    HostBits bits{};
    std::memcpy(bits.data(), &reinterpret_cast<const sockaddr_in6*>(address.data())->sin6_addr,
                bits.size());
    return bits;
}

HostBits customerOf(const HostBits& host) noexcept {
    if (isMapped(host)) return host;
    HostBits network{};
    std::copy_n(host.begin(), 8, network.begin());
    return network;
}

Result<Network> Network::parse(std::string_view text) {
    const auto slash = text.find('/');
    const auto host = parseHost(text.substr(0, slash));
    if (!host) return fail(Error::malformed);
    const bool four = isMapped(*host) && text.find(':') == std::string_view::npos;
    const unsigned longest = four ? 32 : 128;
    unsigned prefix = longest;
    if (slash != std::string_view::npos) {
        const auto length = text::parseDecimal(text.substr(slash + 1));
        if (!length || *length > longest) return fail(Error::malformed);
        prefix = static_cast<unsigned>(*length);
    }
    const Network network(*host, prefix + 128 - longest);
    for (std::size_t i = 0; i != host->size(); ++i)
        if (((*host)[i] & ~maskOf(i, network.prefix_)) != 0) return fail(Error::malformed);
    return network;
}

bool Network::contains(const HostBits& host) const noexcept {
    for (std::size_t i = 0; i != host.size(); ++i)
        if (((host[i] ^ bits_[i]) & maskOf(i, prefix_)) != 0) return false;
    return true;
}

bool anyContains(std::span<const Network> networks, const HostBits& host) noexcept {
    return std::ranges::any_of(networks, [&](const Network& n) { return n.contains(host); });
}

} // namespace reef::io
