#include "compose/text_functions.h"

#include "base/old_digests.h"
#include "base/text.h"
#include "compose/encoding.h"

#include <algorithm>

namespace reef::compose {

namespace {

/// RFC 4515 3: what may not stand in an LDAP filter.
std::string ldapEscaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
        case '*':
            out += "\\2a";
            break;
        case '(':
            out += "\\28";
            break;
        case ')':
            out += "\\29";
            break;
        case '\\':
            out += "\\5c";
            break;
        case '\0':
            out += "\\00";
            break;
        default:
            out += c;
        }
    }
    return out;
}

std::string upper(std::string_view text) {
    std::string out(text);
    std::ranges::transform(out, out.begin(), text::upper);
    return out;
}

struct Row {
    std::string_view name;
    std::string (*apply)(std::string_view);
};

constexpr Row kFunctions[] = {
    {"tolower", text::toLower},
    {"toupper", upper},
    {"escape", [](std::string_view text) { return encoded(text, Encoding::url); }},
    {"unescape", [](std::string_view text) { return decoded(text, Encoding::url); }},
    {"base64", [](std::string_view text) { return encoded(text, Encoding::base64); }},
    {"unbase64", [](std::string_view text) { return decoded(text, Encoding::base64); }},
    {"md5", md5Hex},
    {"sha1", sha1Hex},
    {"ldap", ldapEscaped},
};

} // namespace

std::string applyTextFunction(std::string_view name, std::string_view argument) {
    const auto* const row = std::ranges::find(kFunctions, name, &Row::name);
    return row == std::end(kFunctions) ? std::string() : row->apply(argument);
}

} // namespace reef::compose
