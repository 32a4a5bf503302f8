#include "compose/wildcard.h"

#include <cstddef>

namespace reef::compose {

namespace {

/// One place of a pattern: how many of its bytes it takes, and whether it matches `c`.
struct Place {
    std::size_t length;
    bool matches;
};

/// Of `[...]`; a bracket that is not closed is a plain byte.
Place bracketAt(std::string_view pattern, char c) noexcept {
    std::size_t at = 1;
    const bool negated = at < pattern.size() && (pattern[at] == '!' || pattern[at] == '^');
    if (negated) ++at;
    bool found = false;
    for (bool first = true; at < pattern.size() && (first || pattern[at] != ']'); first = false) {
        if (pattern[at] == '\\' && at + 1 < pattern.size()) ++at;
        const char low = pattern[at];
        char high = low;
        if (at + 2 < pattern.size() && pattern[at + 1] == '-' && pattern[at + 2] != ']') {
            high = pattern[at + 2];
            at += 2;
        }
        found = found || (low <= c && c <= high);
        ++at;
    }
    if (at >= pattern.size()) return {1, c == '['};
    return {at + 1, found != negated};
}

Place placeAt(std::string_view pattern, char c, Wildcard kind) noexcept {
    const bool path = kind == Wildcard::path;
    if (pattern.front() == '?') return {1, !path || c != '/'};
    if (path && pattern.front() == '[') {
        const auto place = bracketAt(pattern, c);
        return {place.length, place.matches && (c != '/' || place.length == 1)};
    }
    if (path && pattern.front() == '\\' && pattern.size() > 1) return {2, pattern[1] == c};
    return {1, pattern.front() == c};
}

} // namespace

bool matchesWildcard(std::string_view text, std::string_view pattern, Wildcard kind) noexcept {
    constexpr auto kNone = std::string_view::npos;
    std::size_t t = 0;
    std::size_t p = 0;
    std::size_t starP = kNone; // behind the last star
    std::size_t starT = 0;     // where what it stands for ends, so far
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            starP = ++p;
            starT = t;
            continue;
        }
        if (p < pattern.size()) {
            const auto place = placeAt(pattern.substr(p), text[t], kind);
            if (place.matches) {
                p += place.length;
                ++t;
                continue;
            }
        }
        if (starP == kNone || (kind == Wildcard::path && text[starT] == '/')) return false;
        p = starP;
        t = ++starT;
    }
    while (p < pattern.size() && pattern[p] == '*')
        ++p;
    return p == pattern.size();
}

} // namespace reef::compose
