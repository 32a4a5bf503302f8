#include "cache/cache_control.h"

#include "base/text.h"

#include <algorithm>
#include <string_view>

namespace reef::cache {

namespace {

using std::chrono::seconds;

constexpr seconds kMost{1LL << 31U};

/// The front of `rest` up to a comma that no quoted string holds, taken off with it.
std::string_view takeDirective(std::string_view& rest) {
    bool quoted = false;
    std::size_t at = 0;
    for (; at < rest.size(); ++at) {
        if (quoted && rest[at] == '\\') {
            ++at;
        } else if (rest[at] == '"') {
            quoted = !quoted;
        } else if (rest[at] == ',' && !quoted) {
            break;
        }
    }
    const auto directive = rest.substr(0, std::min(at, rest.size()));
    rest.remove_prefix(std::min(at + 1, rest.size()));
    return text::trim(directive);
}

std::string_view unquoted(std::string_view value) {
    if (value.size() >= 2 && value.front() == '"' && value.back() == '"')
        return value.substr(1, value.size() - 2);
    return value;
}

seconds secondsOf(std::string_view value) {
    value = unquoted(value);
    if (value.empty() || !std::ranges::all_of(value, text::isDigit)) return seconds(0);
    const auto number = text::parseDecimal(value);
    if (!number || *number > static_cast<std::uint64_t>(kMost.count())) return kMost;
    return seconds(static_cast<seconds::rep>(*number));
}

void takeLess(std::optional<seconds>& target, std::string_view value) {
    const auto time = secondsOf(value);
    target = std::min(target.value_or(time), time);
}

void take(CacheControl& out, std::string_view name, std::string_view value) {
    const auto is = [name](std::string_view other) { return text::equalsIgnoreCase(name, other); };
    if (is("public")) out.isPublic = true;
    if (is("private")) out.isPrivate = true;
    if (is("no-store")) out.noStore = true;
    if (is("no-cache")) out.noCache = true;
    if (is("must-revalidate") || is("proxy-revalidate")) out.mustRevalidate = true;
    if (is("max-age")) takeLess(out.maxAge, value);
    if (is("s-maxage")) takeLess(out.sMaxAge, value);
    if (is("stale-while-revalidate")) takeLess(out.staleWhileRevalidate, value);
    if (is("stale-if-error")) takeLess(out.staleIfError, value);
}

} // namespace

CacheControl cacheControlOf(const http::HeaderList& fields) {
    CacheControl out;
    for (const auto& [name, line] : fields) {
        if (!text::equalsIgnoreCase(name, "Cache-Control")) continue;
        std::string_view rest = line;
        while (!rest.empty()) {
            const auto directive = takeDirective(rest);
            const auto equals = std::min(directive.find('='), directive.size());
            const auto value = directive.substr(std::min(equals + 1, directive.size()));
            take(out, text::trim(directive.substr(0, equals)), text::trim(value));
        }
    }
    return out;
}

} // namespace reef::cache
