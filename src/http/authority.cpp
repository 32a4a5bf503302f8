#include "http/authority.h"

#include "base/text.h"
#include "http/characters.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

namespace reef::http {

namespace {

constexpr std::size_t kMaxHostBytes = 255;

/// Where the host ends and `:port` begins, or the whole size.
std::size_t hostEnd(std::string_view authority) noexcept {
    if (!authority.starts_with('[')) return std::min(authority.find(':'), authority.size());
    const auto bracket = authority.find(']');
    return bracket == std::string_view::npos ? authority.size() : bracket + 1;
}

bool isPort(std::string_view port) noexcept {
    std::uint16_t number = 0;
    if (port.size() > 5) return false;
    const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), number);
    return port.empty() || (error == std::errc{} && end == port.data() + port.size());
}

bool isIpv6(std::string_view bracketed) noexcept {
    if (bracketed.size() < 4 || bracketed.back() != ']') return false;
    std::array<char, INET6_ADDRSTRLEN> text{};
    const auto address = bracketed.substr(1, bracketed.size() - 2);
    if (address.size() >= text.size()) return false;
    std::ranges::copy(address, text.begin());
    in6_addr parsed{};
    return inet_pton(AF_INET6, text.data(), &parsed) == 1;
}

/// Dots between labels, none empty: a host is used as a name of sites, and must not be `..`.
bool isName(std::string_view host) noexcept {
    const char* place = host.data();
    const char* end = place + host.size();
    for (;;) {
        const char* label = place;
        place = skipWhile(place, end, hostChar);
        if (place == label) return false;
        if (place == end) return true;
        if (*place++ != '.') return false;
    }
}

bool isCapital(char c) noexcept {
    return c >= 'A' && c <= 'Z';
}

} // namespace

std::optional<std::string_view> hostOf(std::string_view authority, Arena& memory) {
    std::string_view host = authority.substr(0, hostEnd(authority));
    const std::string_view port = authority.substr(host.size());
    if (!port.empty() && (port.front() != ':' || !isPort(port.substr(1)))) return std::nullopt;
    if (host.empty() || host.size() > kMaxHostBytes) return std::nullopt;
    if (host.front() == '[') {
        if (!isIpv6(host)) return std::nullopt;
    } else {
        if (host.back() == '.') host.remove_suffix(1);
        if (!isName(host)) return std::nullopt;
    }
    if (std::ranges::none_of(host, isCapital)) return host;
    char* lowered = memory.room(host.size());
    std::ranges::transform(host, lowered, text::lower);
    return std::string_view(lowered, host.size());
}

std::string_view portOf(std::string_view authority) noexcept {
    const auto end = hostEnd(authority);
    return end < authority.size() ? authority.substr(end + 1) : std::string_view{};
}

} // namespace reef::http
