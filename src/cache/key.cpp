#include "cache/key.h"

#include "base/arena.h"
#include "base/text.h"
#include "http/path.h"

#include <algorithm>

namespace reef::cache {

Key& Key::add(std::string_view part) {
    text_ += std::to_string(part.size());
    text_ += ':';
    text_ += part;
    return *this;
}

Key& Key::add(std::uint64_t number) {
    return add(std::to_string(number));
}

Key& Key::add(const Fields& fields) {
    add(fields.size());
    for (const auto& [name, value] : fields)
        add(name).add(value);
    return *this;
}

std::optional<std::string> valueOf(const http::HeaderList& fields, std::string_view name) {
    std::optional<std::string> joined;
    for (const auto& [each, value] : fields) {
        if (!text::equalsIgnoreCase(each, name)) continue;
        if (!joined) {
            joined.emplace(value);
        } else {
            *joined += text::concat(", ", value);
        }
    }
    return joined;
}

namespace {

/// The first cookie of a name counts.
std::optional<std::string_view> cookieOf(const http::HeaderList& fields, std::string_view name) {
    for (const auto& [each, value] : fields) {
        if (!text::equalsIgnoreCase(each, "Cookie")) continue;
        std::string_view rest = value;
        while (!rest.empty()) {
            const auto cookie = text::trim(text::takeUntil(rest, ';'));
            const auto equals = cookie.find('=');
            if (equals != std::string_view::npos && text::trim(cookie.substr(0, equals)) == name)
                return text::trim(cookie.substr(equals + 1));
        }
    }
    return std::nullopt;
}

} // namespace

Fields chosenFields(const http::HeaderList& fields, const Rules& rules) {
    Fields chosen = namedFields(fields, rules.headers);
    std::string cookies;
    for (const std::string& name : rules.cookies) {
        const auto value = cookieOf(fields, name);
        if (value) cookies += text::concat(cookies.empty() ? "" : "; ", name, "=", *value);
    }
    if (!cookies.empty()) chosen.emplace_back("cookie", std::move(cookies));
    return chosen;
}

Fields namedFields(const http::HeaderList& fields, std::span<const std::string> names) {
    Fields found;
    for (const std::string& name : names)
        if (auto value = valueOf(fields, name)) found.emplace_back(name, std::move(*value));
    return found;
}

std::string variant(std::string_view primary, std::span<const std::string> names,
                    const Fields& carried) {
    if (names.empty()) return std::string(primary);
    Key key;
    key.add(primary);
    for (const std::string& name : names) {
        const auto found = std::ranges::find(carried, name, &Field::first);
        key.add(name);
        if (found != carried.end()) key.add(found->second);
        key.add(found != carried.end() ? "present" : "absent");
    }
    return key.take();
}

std::string pathOf(std::string_view target) {
    Arena arena;
    const auto path = http::decodePath(target.substr(0, target.find('?')), arena);
    return path ? std::string(*path) : std::string();
}

} // namespace reef::cache
