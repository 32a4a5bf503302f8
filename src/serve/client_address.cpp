#include "serve/client_address.h"

#include "base/text.h"
#include "http/characters.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <vector>

namespace reef::serve {

namespace {

constexpr std::size_t kMaxEntries = 64; // no chain of proxies is that long; the rightmost are read

using Texts = std::pmr::vector<std::string_view>;

/// One proxy's word for its own peer. Empty views: not told.
struct Entry {
    std::string_view node; ///< address, perhaps with a port
    std::string_view scheme;
    std::string_view host;
};
using Entries = std::pmr::vector<Entry>;

struct Node {
    io::HostBits host;
    std::string_view text; ///< the address alone
    std::uint16_t port = 0;
};

/// "192.0.2.7", "192.0.2.7:4711", "2001:db8::7", "[2001:db8::7]", "[2001:db8::7]:4711".
std::optional<Node> readNode(std::string_view text) {
    std::string_view address = text;
    std::string_view port;
    if (text.starts_with('[')) {
        const auto bracket = text.find(']');
        if (bracket == std::string_view::npos) return std::nullopt;
        address = text.substr(1, bracket - 1);
        port = text.substr(bracket + 1);
        if (address.find(':') == std::string_view::npos) return std::nullopt;
    } else if (std::ranges::count(text, ':') == 1) {
        address = text.substr(0, text.find(':'));
        port = text.substr(address.size());
    }
    const auto host = io::parseHost(address);
    if (!host || address.find('\0') != std::string_view::npos) return std::nullopt;
    Node node{*host, address};
    if (port.empty()) return node;
    const auto number = text::parseDecimal(port.substr(1));
    if (port.front() != ':' || !number || *number > 65535) return std::nullopt;
    node.port = static_cast<std::uint16_t>(*number);
    return node;
}

/// The position of the client among `entries`, or nothing when there is none to be believed.
std::optional<std::size_t> clientAmong(const Entries& entries, const io::Networks& trusted) {
    std::optional<std::size_t> best;
    for (std::size_t i = entries.size(); i-- > 0;) {
        const auto node = readNode(entries[i].node);
        if (!node) break;
        best = i;
        if (!io::anyContains(trusted, node->host)) break;
    }
    return best;
}

/// The items of all lines of a list field without quoting.
Texts listOf(const http::HeaderList& fields, std::string_view name, Arena& memory) {
    Texts items(&memory);
    for (const http::HeaderField& field : fields) {
        if (!text::equalsIgnoreCase(field.name, name)) continue;
        std::string_view rest = field.value;
        while (!rest.empty())
            items.push_back(text::trim(text::takeUntil(rest, ',')));
    }
    return items;
}

/// Takes Forwarded fields apart (RFC 7239 4), and gives up at the first byte out of place: a client
/// that leaves a quote open would otherwise swallow what the proxy has added behind it.
class ForwardedParser {
public:
    ForwardedParser(std::string_view text, Arena& memory) : rest_(text), memory_(memory) {}

    /// Appends the entries. False: the field is malformed.
    bool parse(Entries& entries) {
        do {
            if (!takeEntry(entries.emplace_back())) return false;
        } while (take(','));
        return rest_.empty();
    }

private:
    bool takeEntry(Entry& entry) {
        do {
            if (!takePair(entry)) return false;
        } while (take(';'));
        return true;
    }

    bool takePair(Entry& entry) {
        skipBlanks();
        const auto name = takeToken();
        if (name.empty()) return true; // an empty entry
        if (!rest_.starts_with('=')) return false;
        rest_.remove_prefix(1);
        const auto value = rest_.starts_with('"') ? takeQuoted() : takeUnquoted();
        if (!value) return false;
        if (text::equalsIgnoreCase(name, "for")) entry.node = *value;
        if (text::equalsIgnoreCase(name, "proto")) entry.scheme = *value;
        if (text::equalsIgnoreCase(name, "host")) entry.host = *value;
        return true;
    }

    std::string_view takeToken() {
        const char* begin = rest_.data();
        const char* end = http::skipWhile(begin, begin + rest_.size(), http::tokenChar);
        rest_.remove_prefix(static_cast<std::size_t>(end - begin));
        return {begin, end};
    }

    /// A token, and the addresses and hosts with ports that some proxies do not quote.
    std::optional<std::string_view> takeUnquoted() {
        const auto value = rest_.substr(0, rest_.find_first_of(" \t;,\"\\="));
        rest_.remove_prefix(value.size());
        if (value.empty()) return std::nullopt;
        return value;
    }

    std::optional<std::string_view> takeQuoted() {
        char* const room = memory_.room(rest_.size());
        char* end = room;
        for (std::size_t place = 1; place < rest_.size(); ++place) {
            if (rest_[place] == '"') {
                rest_.remove_prefix(place + 1);
                return std::string_view(room, static_cast<std::size_t>(end - room));
            }
            if (rest_[place] == '\\' && ++place == rest_.size()) break;
            *end++ = rest_[place];
        }
        return std::nullopt;
    }

    bool take(char separator) {
        skipBlanks();
        if (!rest_.starts_with(separator)) return false;
        rest_.remove_prefix(1);
        return true;
    }

    void skipBlanks() { rest_ = text::trim(rest_); }

    std::string_view rest_;
    Arena& memory_;
};

/// None when a line is malformed.
Entries forwardedEntries(const http::HeaderList& fields, Arena& memory) {
    Entries entries(&memory);
    for (const http::HeaderField& field : fields) {
        if (!text::equalsIgnoreCase(field.name, "Forwarded")) continue;
        if (ForwardedParser(field.value, memory).parse(entries)) continue;
        entries.clear();
        break;
    }
    return entries;
}

/// X-Forwarded-For with the entries of X-Forwarded-Proto beside it. The lists meet at the right; a
/// proxy that only passes the scheme on leaves the list shorter, and its first item stands for all.
Entries xForwardedEntries(const http::HeaderList& fields, Arena& memory) {
    const Texts nodes = listOf(fields, "X-Forwarded-For", memory);
    const Texts schemes = listOf(fields, "X-Forwarded-Proto", memory);
    Entries entries(&memory);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        Entry& entry = entries.emplace_back();
        entry.node = nodes[i];
        if (schemes.empty()) continue;
        const std::size_t fromRight = nodes.size() - 1 - i;
        entry.scheme =
            fromRight < schemes.size() ? schemes[schemes.size() - 1 - fromRight] : schemes.front();
    }
    return entries;
}

std::string_view textOf(const Node& node, Arena& memory) {
    std::array<char, INET6_ADDRSTRLEN> text{};
    const auto& bits = node.host;
    in6_addr address{};
    std::ranges::copy(bits, address.s6_addr);
    const bool four = IN6_IS_ADDR_V4MAPPED(&address);
    ::inet_ntop(four ? AF_INET : AF_INET6, four ? bits.data() + 12 : bits.data(), text.data(),
                text.size());
    return memory.copy(text.data());
}

void keepRightmost(Entries& entries) {
    if (entries.size() > kMaxEntries)
        entries.erase(entries.begin(), entries.end() - static_cast<std::ptrdiff_t>(kMaxEntries));
}

ForwardedClient clientOf(Entries entries, const io::Networks& trusted, Arena& memory) {
    ForwardedClient client;
    keepRightmost(entries);
    const auto place = clientAmong(entries, trusted);
    if (!place) return client;
    const Entry& entry = entries[*place];
    const auto node = readNode(entry.node);
    client.address = textOf(*node, memory);
    client.port = node->port;
    if (text::equalsIgnoreCase(entry.scheme, "https")) client.secure = true;
    if (text::equalsIgnoreCase(entry.scheme, "http")) client.secure = false;
    if (!entry.host.empty()) client.host = entry.host;
    return client;
}

} // namespace

ForwardedClient forwardedClient(const http::HeaderList& fields, const io::Networks& trusted,
                                Arena& memory) {
    const bool xForwarded = fields.contains("X-Forwarded-For");
    const bool forwarded = fields.contains("Forwarded");
    ForwardedClient none;
    if (!xForwarded && !forwarded) {
        const Texts schemes = listOf(fields, "X-Forwarded-Proto", memory);
        if (schemes.size() != 1) return none;
        if (text::equalsIgnoreCase(schemes.front(), "https")) none.secure = true;
        if (text::equalsIgnoreCase(schemes.front(), "http")) none.secure = false;
        return none;
    }
    if (!xForwarded) return clientOf(forwardedEntries(fields, memory), trusted, memory);
    const auto client = clientOf(xForwardedEntries(fields, memory), trusted, memory);
    if (!forwarded) return client;
    const auto other = clientOf(forwardedEntries(fields, memory), trusted, memory);
    none.contradictory = client.address != other.address;
    return none.contradictory ? none : client;
}

} // namespace reef::serve
