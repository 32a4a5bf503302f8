#include "compose/target.h"

#include "base/text.h"
#include "http/path.h"

#include <algorithm>
#include <array>
#include <string>

namespace reef::compose {

namespace {

using Resolved = std::expected<FragmentSpec, std::string_view>;

/// The bytes that may stand for themselves in a part of a target.
class PlainBytes {
public:
    explicit constexpr PlainBytes(std::string_view marks) noexcept {
        for (std::size_t byte = 0; byte != plain_.size(); ++byte) {
            const auto c = static_cast<char>(byte);
            plain_[byte] = text::isAlpha(c) || text::isDigit(c) || marks.contains(c);
        }
    }
    constexpr bool has(char c) const noexcept { return plain_[static_cast<unsigned char>(c)]; }
    bool hasAll(std::string_view text) const noexcept {
        return std::ranges::all_of(text, [this](char c) { return has(c); });
    }

private:
    std::array<bool, 256> plain_{};
};

constexpr PlainBytes kPathBytes("/-._~!$&'()*+,;=:@");
constexpr PlainBytes kQueryBytes("/-._~!$&'()*+,;=:@?%[]{}|^");
constexpr PlainBytes kSchemeBytes("+-.");

/// Blanks, control bytes and all else that may not stand in a request line become %XX.
std::string_view cleanQuery(std::string_view query, Arena& memory) {
    if (kQueryBytes.hasAll(query)) return query;
    static constexpr char kHex[] = "0123456789ABCDEF";
    std::string out;
    for (const char c : query) {
        const auto byte = static_cast<unsigned char>(c);
        if (kQueryBytes.has(c)) {
            out += c;
        } else {
            out += {'%', kHex[byte >> 4U], kHex[byte & 15U]};
        }
    }
    return memory.copy(out);
}

std::string_view encoded(std::string_view path, Arena& memory) {
    return kPathBytes.hasAll(path) ? path : memory.copy(http::encodePath(path));
}

std::string_view joined(std::string_view front, std::string_view back, Arena& memory) {
    char* place = memory.room(front.size() + back.size());
    std::ranges::copy(back, std::ranges::copy(front, place).out);
    return {place, front.size() + back.size()};
}

/// The directory part of a path, with its last slash.
std::string_view directoryOf(std::string_view path) noexcept {
    return path.substr(0, path.rfind('/') + 1);
}

std::string_view meaningOf(http::PathFault fault) noexcept {
    switch (fault) {
    case http::PathFault::notAbsolute:
        return "the page has no path that a target could be relative to";
    case http::PathFault::badEscape:
        return "the target has a % without two hexadecimal digits";
    case http::PathFault::control:
        return "the target has a control character";
    case http::PathFault::aboveRoot:
        return "the target leads out of the site";
    case http::PathFault::encodedSlash:
        return "the target has an encoded slash";
    }
    return "the target is no path";
}

/// RFC 3986 3.1: letters, digits and `+-.` before a colon that no slash precedes.
bool hasScheme(std::string_view value) noexcept {
    const auto colon = value.find_first_of(":/");
    return colon != std::string_view::npos && colon != 0 && value[colon] == ':' &&
           kSchemeBytes.hasAll(value.substr(0, colon));
}

/// Fills in the texts, `path` and `query` being final.
Resolved finished(FragmentSpec spec, Arena& memory) {
    spec.rawPath = encoded(spec.path, memory);
    spec.target = spec.rawPath;
    if (spec.hasQuery) {
        spec.target = joined(joined(spec.rawPath, "?", memory), spec.query, memory);
        spec.rawPath = spec.target.substr(0, spec.rawPath.size());
        spec.query = spec.target.substr(spec.rawPath.size() + 1);
    }
    return spec;
}

Resolved resolveVirtual(std::string_view value, const http::Request& page) {
    if (hasScheme(value) || value.starts_with("//")) {
        return std::unexpected("the target names a scheme or a host");
    }
    value = value.substr(0, value.find('#'));
    if (value.empty()) return std::unexpected("the target is empty");

    FragmentSpec spec(FragmentKind::virtualPath, page);
    const auto mark = value.find('?');
    spec.hasQuery = mark != std::string_view::npos;
    if (spec.hasQuery) spec.query = cleanQuery(value.substr(mark + 1), *page.arena);

    const auto named = value.substr(0, mark);
    std::string_view raw = page.rawPath;
    if (!named.empty()) {
        const auto base = named.starts_with('/') ? std::string_view() : directoryOf(page.rawPath);
        raw = joined(base, named, *page.arena);
    }
    const auto path = http::decodePath(raw, *page.arena);
    if (!path) return std::unexpected(meaningOf(path.error()));
    spec.path = *path;
    return finished(spec, *page.arena);
}

bool climbs(std::string_view path) noexcept {
    while (!path.empty()) {
        if (text::takeUntil(path, '/') == "..") return true;
    }
    return false;
}

Resolved resolveFile(std::string_view value, const http::Request& page) {
    if (value.empty()) return std::unexpected("the file has no name");
    if (value.starts_with('/')) return std::unexpected("the file's path is absolute");
    if (climbs(value)) return std::unexpected("the file lies outside the page's directory");

    FragmentSpec spec(FragmentKind::file, page);
    const auto whole = joined(directoryOf(page.path), value, *page.arena);
    const auto path = http::decodePath(encoded(whole, *page.arena), *page.arena);
    if (!path) return std::unexpected(meaningOf(path.error()));
    spec.path = *path;
    return finished(spec, *page.arena);
}

} // namespace

Resolved resolve(FragmentKind kind, std::string_view value, const http::Request& page) {
    return kind == FragmentKind::file ? resolveFile(value, page) : resolveVirtual(value, page);
}

std::string_view lineageFault(const FragmentSpec& spec) noexcept {
    if (spec.lineage().depth > kMaxDepth) return "includes are nested too deeply";
    for (const http::Request* page = spec.page; page != nullptr; page = page->lineage.parent) {
        if (page->path == spec.path && page->query == spec.query) {
            return "the page would include itself";
        }
    }
    return {};
}

} // namespace reef::compose
