#include "http/proxy_protocol.h"

#include "base/text.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

namespace reef::http {

namespace {

constexpr std::string_view kTextStart = "PROXY ";
constexpr std::string_view kSignature("\r\n\r\n\0\r\nQUIT\n", 12);
constexpr std::size_t kFixedBytes = 16; // signature, command, family, length
constexpr std::size_t kUnixPathBytes = 108;

unsigned char byteAt(ByteView bytes, std::size_t place) noexcept {
    return static_cast<unsigned char>(bytes[place]);
}

std::uint16_t numberAt(ByteView bytes, std::size_t place) noexcept {
    return static_cast<std::uint16_t>(byteAt(bytes, place) << 8U | byteAt(bytes, place + 1));
}

/// An IPv4 address mapped into IPv6 is shown as IPv4, as everywhere.
std::string addressAt(int family, ByteView bytes, std::size_t place) {
    std::array<char, INET6_ADDRSTRLEN> text{};
    if (family == AF_INET6) {
        in6_addr address{};
        std::memcpy(&address, bytes.data() + place, sizeof address);
        if (IN6_IS_ADDR_V4MAPPED(&address)) return addressAt(AF_INET, bytes, place + 12);
    }
    ::inet_ntop(family, bytes.data() + place, text.data(), text.size());
    return text.data();
}

/// The address as we write it, or nothing.
std::optional<std::string> readAddress(int family, std::string_view text) {
    std::array<char, INET6_ADDRSTRLEN> copy{};
    std::array<char, sizeof(in6_addr)> bytes{};
    if (text.size() >= copy.size() || text.contains('\0')) return std::nullopt;
    std::ranges::copy(text, copy.begin());
    if (::inet_pton(family, copy.data(), bytes.data()) != 1) return std::nullopt;
    return addressAt(family, bytes, 0);
}

std::optional<std::uint16_t> readPort(std::string_view text) {
    const bool padded = text.size() > 1 && text.front() == '0';
    const auto port = text::parseDecimal(text);
    if (padded || !port || *port > 65535) return std::nullopt;
    return static_cast<std::uint16_t>(*port);
}

bool startsLike(ByteView received, std::string_view start) noexcept {
    const auto count = std::min(received.size(), start.size());
    return textOf(received.first(count)) == start.substr(0, count);
}

/// Type, length, value, and again, to the end (2.2.1).
bool areTypeLengthValues(ByteView bytes) noexcept {
    constexpr std::size_t kHead = 3;
    while (!bytes.empty()) {
        if (bytes.size() < kHead) return false;
        const std::size_t length = numberAt(bytes, 1);
        if (length > bytes.size() - kHead) return false;
        bytes = bytes.subspan(kHead + length);
    }
    return true;
}

} // namespace

Verdict ProxyHeaderParser::parse(ByteView received) {
    if (received.empty()) return Verdict::incomplete;
    if (startsLike(received, kTextStart)) return parseText(received);
    if (startsLike(received, kSignature)) return parseBinary(received);
    return reject("no PROXY header");
}

Verdict ProxyHeaderParser::parseText(ByteView received) {
    const auto text = textOf(received.first(std::min(received.size(), kMaxLineBytes)));
    const auto end = text.find('\n');
    if (end == std::string_view::npos) {
        if (received.size() < kMaxLineBytes) return Verdict::incomplete;
        return reject("PROXY line too long");
    }
    if (end == 0 || text[end - 1] != '\r') return reject("PROXY line does not end in CRLF");
    length_ = end + 1;
    return takeLine(text.substr(0, end - 1));
}

/// `PROXY TCP4 192.0.2.7 198.51.100.1 4711 80`, or `PROXY UNKNOWN` and anything (2.1).
Verdict ProxyHeaderParser::takeLine(std::string_view line) {
    line.remove_prefix(std::min(line.size(), kTextStart.size()));
    if (line.find('\r') != std::string_view::npos) return reject("bare CR in the PROXY line");
    if (line == "UNKNOWN" || line.starts_with("UNKNOWN ")) return Verdict::complete;
    const bool four = line.starts_with("TCP4 ");
    if (!four && !line.starts_with("TCP6 ")) return reject("unknown family in the PROXY line");
    line.remove_prefix(5);
    const int family = four ? AF_INET : AF_INET6;
    const auto source = readAddress(family, text::takeUntil(line, ' '));
    const auto destination = readAddress(family, text::takeUntil(line, ' '));
    const auto sourcePort = readPort(text::takeUntil(line, ' '));
    const auto destinationPort = readPort(line);
    if (!source || !destination || !sourcePort || !destinationPort)
        return reject("bad address in the PROXY line");
    header_ = {four ? ProxyHeader::Family::ipv4 : ProxyHeader::Family::ipv6, *source, *sourcePort,
               *destination, *destinationPort};
    return Verdict::complete;
}

Verdict ProxyHeaderParser::parseBinary(ByteView received) {
    if (received.size() < kFixedBytes) return Verdict::incomplete;
    const unsigned char command = byteAt(received, 12);
    if (command != 0x20 && command != 0x21) return reject("unknown PROXY version or command");
    const std::size_t length = kFixedBytes + numberAt(received, 14);
    if (length > kMaxBytes) return reject("PROXY header too long");
    if (received.size() < length) return Verdict::incomplete;
    length_ = length;
    if (command == 0x20) return Verdict::complete; // LOCAL: the rest is to be ignored
    return takeAddresses(byteAt(received, 13), received.subspan(kFixedBytes, length - kFixedBytes));
}

Verdict ProxyHeaderParser::takeAddresses(unsigned char family, ByteView content) {
    std::size_t addressBytes = 0;
    switch (family) {
    case 0x00: // UNSPEC: what follows is of a kind that we cannot know
        return Verdict::complete;
    case 0x11:
        header_.family = ProxyHeader::Family::ipv4;
        addressBytes = sizeof(in_addr);
        break;
    case 0x21:
        header_.family = ProxyHeader::Family::ipv6;
        addressBytes = sizeof(in6_addr);
        break;
    case 0x31:
        header_.family = ProxyHeader::Family::unixSocket;
        break;
    default:
        return reject("unknown PROXY family");
    }
    const bool isUnix = header_.family == ProxyHeader::Family::unixSocket;
    const std::size_t taken = isUnix ? 2 * kUnixPathBytes : 2 * addressBytes + 4;
    if (content.size() < taken) return reject("PROXY addresses too short");
    if (!areTypeLengthValues(content.subspan(taken))) return reject("bad PROXY values");
    if (isUnix) return Verdict::complete;
    const int kind = addressBytes == sizeof(in_addr) ? AF_INET : AF_INET6;
    header_.sourceAddress = addressAt(kind, content, 0);
    header_.destinationAddress = addressAt(kind, content, addressBytes);
    header_.sourcePort = numberAt(content, 2 * addressBytes);
    header_.destinationPort = numberAt(content, 2 * addressBytes + 2);
    return Verdict::complete;
}

Verdict ProxyHeaderParser::reject(std::string_view reason) noexcept {
    reason_ = reason;
    return Verdict::rejected;
}

} // namespace reef::http
