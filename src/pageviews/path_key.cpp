#include "pageviews/path_key.h"

#include "base/text.h"
#include "base/utf8.h"

#include <cstdint>

namespace reef::pageviews {

namespace {

/// Characters that may stand in a path as they are (pchar and "/" of RFC 3986 3.3), beside the
/// unreserved.
constexpr std::string_view kPathPunctuation = "!$&'()*+,;=:@/";
/// The same for the value of a parameter.
constexpr std::string_view kQueryPunctuation = "!$'()*+,;:@/?";

bool isUnreserved(unsigned char byte) noexcept {
    const char c = static_cast<char>(byte);
    return text::isAlpha(c) || text::isDigit(c) || c == '-' || c == '.' || c == '_' || c == '~';
}

struct Octet {
    unsigned char value;
    bool escaped;
};

Octet takeOctet(std::string_view& rest) noexcept {
    if (rest[0] == '%' && rest.size() >= 3) {
        const int high = text::hexValue(rest[1]);
        const int low = text::hexValue(rest[2]);
        if (high >= 0 && low >= 0) {
            rest.remove_prefix(3);
            return {static_cast<unsigned char>(high * 16 + low), true};
        }
    }
    const auto value = static_cast<unsigned char>(rest[0]);
    rest.remove_prefix(1);
    return {value, false};
}

void appendEscape(std::string& out, unsigned char byte) {
    static constexpr char kHex[] = "0123456789ABCDEF";
    out += {'%', kHex[byte >> 4U], kHex[byte & 15U]};
}

/// Takes one code point above ASCII, however its bytes are spelt. False, and nothing taken, if
/// there is none, or one that must not show.
bool takeCodePoint(std::string& out, std::string_view& rest) {
    char bytes[4];
    std::size_t count = 0;
    for (auto ahead = rest; !ahead.empty() && count < sizeof bytes;) {
        bytes[count++] = static_cast<char>(takeOctet(ahead).value);
    }
    const auto point = utf8::first({bytes, count});
    if (point.length < 2 || utf8::isHidden(point.value)) return false;
    for (std::size_t i = 0; i < point.length; ++i)
        takeOctet(rest);
    out.append(bytes, point.length);
    return true;
}

void appendCanonical(std::string& out, std::string_view raw, std::string_view punctuation) {
    while (!raw.empty()) {
        if (takeCodePoint(out, raw)) continue;
        const Octet octet = takeOctet(raw);
        const char c = static_cast<char>(octet.value);
        const bool plain = isUnreserved(octet.value) ||
                           (!octet.escaped && punctuation.find(c) != std::string_view::npos);
        if (plain) {
            out += c;
        } else {
            appendEscape(out, octet.value);
        }
    }
}

/// Resolves "." and "..", and drops empty segments; the result begins with "/".
std::string resolveSegments(std::string_view path) {
    std::string out;
    bool endsInSlash = true;
    while (!path.empty()) {
        endsInSlash = path.find('/') != std::string_view::npos;
        const auto segment = text::takeUntil(path, '/');
        if (segment.empty()) continue;
        if (segment == "." || segment == "..") {
            if (segment == "..") out.erase(out.empty() ? 0 : out.rfind('/'));
            endsInSlash = true;
            continue;
        }
        out.append(1, '/').append(segment);
    }
    if (endsInSlash) out += '/';
    return out;
}

void appendParameters(std::string& out, std::string_view query, std::span<const std::string> kept) {
    char separator = '?';
    for (const auto& name : kept) {
        for (auto rest = query; !rest.empty();) {
            auto value = text::takeUntil(rest, '&');
            if (text::takeUntil(value, '=') != name) continue;
            out += separator;
            appendCanonical(out, name, kQueryPunctuation);
            out += '=';
            appendCanonical(out, value, kQueryPunctuation);
            separator = '&';
            break;
        }
    }
}

/// FNV-1a: only tells long keys apart, nobody gains by a collision but a wrong line in a report.
std::uint32_t hashOf(std::string_view text) noexcept {
    std::uint32_t hash = 2166136261U;
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
    return hash;
}

std::string capped(std::string key) {
    if (key.size() <= kMaxKeyBytes) return key;
    static constexpr char kHex[] = "0123456789abcdef";
    const std::uint32_t hash = hashOf(key);
    key.resize(utf8::cut(key, kMaxKeyBytes - 9).size());
    for (std::size_t i = 1; i <= 2; ++i) { // not within an escape either
        if (key[key.size() - i] == '%') {
            key.resize(key.size() - i);
            break;
        }
    }
    key += '~';
    for (unsigned shift = 32; shift != 0; shift -= 4)
        key += kHex[(hash >> (shift - 4)) & 15U];
    return key;
}

/// Takes "http://" or "https://" off the front; the port that goes without saying, or nothing.
std::string_view takeScheme(std::string_view& address) noexcept {
    for (const auto& [prefix, port] :
         {std::pair<std::string_view, std::string_view>{"http://", ":80"}, {"https://", ":443"}}) {
        if (!text::startsWithIgnoreCase(address, prefix)) continue;
        address.remove_prefix(prefix.size());
        return port;
    }
    return {};
}

} // namespace

std::string pathKey(std::string_view path, std::string_view query,
                    std::span<const std::string> keptParameters) {
    std::string canonical;
    canonical.reserve(path.size() + 16);
    appendCanonical(canonical, path, kPathPunctuation);
    std::string key = resolveSegments(canonical);
    appendParameters(key, query, keptParameters);
    return capped(std::move(key));
}

std::string referrerKey(std::string_view referrer, std::string_view ownHost) {
    auto rest = text::trim(referrer);
    const auto defaultPort = takeScheme(rest);
    std::string key;
    if (defaultPort.empty()) {
        appendCanonical(key, rest, "!$&'()*+,;=:@/?");
        return capped(std::move(key));
    }
    rest = rest.substr(0, rest.find_first_of("?#"));
    auto path = rest;
    auto authority = text::takeUntil(path, '/');
    if (const auto at = authority.rfind('@'); at != std::string_view::npos)
        authority.remove_prefix(at + 1);
    if (text::equalsIgnoreCase(authority, ownHost)) return {};
    if (authority.ends_with(defaultPort)) authority.remove_suffix(defaultPort.size());
    appendCanonical(key, text::toLower(authority), "[]:");
    key += pathKey(path);
    if (key.ends_with('/')) key.pop_back();
    return capped(std::move(key));
}

} // namespace reef::pageviews
