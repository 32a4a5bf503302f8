#include "admin/cookies.h"

#include "base/text.h"

#include <algorithm>

namespace reef::admin {
namespace {

constexpr std::size_t kMostValues = 4;

bool isOurs(std::string_view value) noexcept {
    return !value.empty() && value.size() <= 128 && std::ranges::all_of(value, [](char c) {
        return text::isAlpha(c) || text::isDigit(c) || c == '-' || c == '_';
    });
}

std::string attributes(bool secure) {
    return secure ? "; Path=/; HttpOnly; SameSite=Strict; Secure"
                  : "; Path=/; HttpOnly; SameSite=Strict";
}

} // namespace

std::vector<std::string_view> cookieValues(const http::HeaderList& fields, std::string_view name) {
    std::vector<std::string_view> values;
    for (const auto& field : fields) {
        if (!text::equalsIgnoreCase(field.name, "Cookie")) continue;
        std::string_view rest = field.value;
        while (!rest.empty() && values.size() < kMostValues) {
            std::string_view pair = text::trim(text::takeUntil(rest, ';'));
            if (text::takeUntil(pair, '=') == name && isOurs(pair)) values.push_back(pair);
        }
    }
    return values;
}

std::string setCookie(std::string_view name, std::string_view value, bool secure) {
    return text::concat(name, '=', value, attributes(secure));
}

std::string removeCookie(std::string_view name, bool secure) {
    return text::concat(name, '=', attributes(secure), "; Max-Age=0");
}

} // namespace reef::admin
