#include "http/path.h"

#include "base/text.h"
#include "http/characters.h"

namespace reef::http {

namespace {

/// Puts decoded segments one behind the other and resolves dot segments as they end.
class PathBuilder {
public:
    explicit PathBuilder(char* room) noexcept : begin_(room), end_(room), segment_(room) {
        *end_++ = '/';
    }

    void add(char c) noexcept { *end_++ = c; }

    /// The segment being built has ended; `slash` follows it. False: it would leave the root.
    bool endSegment(bool slash) noexcept {
        const std::string_view name(segment_ + 1, static_cast<std::size_t>(end_ - segment_ - 1));
        if (name == "..") {
            if (segment_ == begin_) return false;
            do
                --segment_;
            while (*segment_ != '/');
            end_ = segment_ + 1;
        } else if (name == ".") {
            end_ = segment_ + 1;
        } else if (slash && !name.empty()) { // an empty one: `//` becomes `/`
            segment_ = end_;
            *end_++ = '/';
        }
        return true;
    }

    std::string_view text() const noexcept { return {begin_, end_}; }

private:
    char* begin_;
    char* end_;
    char* segment_; ///< the slash before the segment being built
};

/// Nothing to decode or to resolve: no escape, no control byte, no `//`, no segment that begins
/// with a dot.
bool isPlain(std::string_view path) noexcept {
    char before = 0;
    for (const char c : path) {
        if (c == '%' || !isIn(c, textChar) || c == '\t') return false;
        if (before == '/' && (c == '/' || c == '.')) return false;
        before = c;
    }
    return true;
}

bool isControl(char c) noexcept {
    return c == '\t' || !isIn(c, textChar);
}

/// The byte that an escape stands for, taken off the front of `rest` behind its `%`.
std::expected<char, PathFault> takeEscape(std::string_view& rest) noexcept {
    if (rest.size() < 2) return std::unexpected(PathFault::badEscape);
    const int high = text::hexValue(rest[0]);
    const int low = text::hexValue(rest[1]);
    if (high < 0 || low < 0) return std::unexpected(PathFault::badEscape);
    rest.remove_prefix(2);
    const char c = static_cast<char>(high * 16 + low);
    if (c == '/') return std::unexpected(PathFault::encodedSlash);
    return c;
}

std::string escape(std::string_view text, bool keepSlash) {
    static constexpr char kHex[] = "0123456789ABCDEF";
    std::string out;
    out.reserve(text.size() + text.size() / 4);
    for (const char c : text) {
        if (isIn(c, pathChar) && (keepSlash || c != '/')) {
            out += c;
        } else {
            const auto byte = static_cast<unsigned char>(c);
            out += {'%', kHex[byte >> 4U], kHex[byte & 15U]};
        }
    }
    return out;
}

} // namespace

int statusOf(PathFault fault) noexcept {
    return fault == PathFault::encodedSlash ? 404 : 400;
}

std::expected<std::string_view, PathFault> decodePath(std::string_view rawPath, Arena& memory) {
    if (!rawPath.starts_with('/')) return std::unexpected(PathFault::notAbsolute);
    if (isPlain(rawPath)) return rawPath;
    PathBuilder path(memory.room(rawPath.size() + 1));
    std::string_view rest = rawPath.substr(1);
    while (!rest.empty()) {
        char c = rest.front();
        rest.remove_prefix(1);
        if (c == '/') {
            if (!path.endSegment(true)) return std::unexpected(PathFault::aboveRoot);
            continue;
        }
        if (c == '%') {
            const auto decoded = takeEscape(rest);
            if (!decoded) return std::unexpected(decoded.error());
            c = *decoded;
        }
        if (isControl(c)) return std::unexpected(PathFault::control);
        path.add(c);
    }
    if (!path.endSegment(false)) return std::unexpected(PathFault::aboveRoot);
    return path.text();
}

std::string encodePath(std::string_view path) {
    while (path.starts_with("//"))
        path.remove_prefix(1);
    return escape(path, true);
}

std::string encodeSegment(std::string_view segment) {
    return escape(segment, false);
}

} // namespace reef::http
