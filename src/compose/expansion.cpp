#include "compose/expansion.h"

#include "base/text.h"

#include <algorithm>

namespace reef::compose {

namespace {

constexpr bool isNameByte(char c) noexcept {
    return text::isAlpha(c) || text::isDigit(c) || c == '_';
}

/// A reference at the front of a text: `$NAME` or `${NAME}`.
struct Reference {
    std::string_view name;  ///< empty: it is none
    std::size_t length = 0; ///< of all of it
    bool unclosed = false;
};

Reference referenceAt(std::string_view text) noexcept {
    if (text.starts_with("${")) {
        const auto end = text.find('}');
        if (end == std::string_view::npos) return {{}, 2, true};
        return {text.substr(2, end - 2), end + 1, false};
    }
    std::size_t end = 1;
    while (end < text.size() && isNameByte(text[end]))
        ++end;
    return {text.substr(1, end - 1), end, false};
}

} // namespace

std::expected<std::string_view, std::string_view> expand(std::string_view text, Dialect dialect,
                                                         VariableSource& source, Unknown unknown,
                                                         std::string& scratch) {
    const bool nginx = dialect == Dialect::nginx;
    const std::string_view marks = nginx ? "$\\" : "$";
    if (text.find_first_of(marks) == std::string_view::npos) return text;
    scratch.clear();
    while (!text.empty() && scratch.size() <= kMaxExpanded) {
        const auto plain = std::min(text.find_first_of("$\\"), text.size());
        scratch += text.substr(0, plain);
        text.remove_prefix(plain);
        if (text.empty()) break;
        if (text.front() == '\\') {
            const bool escapes = text.size() > 1 && (text[1] == '$' || (nginx && text[1] == '\\'));
            scratch += text[escapes ? 1 : 0];
            text.remove_prefix(escapes ? 2 : 1);
            continue;
        }
        const auto reference = referenceAt(text);
        if (reference.unclosed) {
            if (nginx) return std::unexpected("a ${ has no }");
            break;
        }
        if (reference.name.empty()) {
            if (nginx) return std::unexpected("a $ has no name behind it");
            scratch += '$';
            text.remove_prefix(1);
            continue;
        }
        if (const auto value = source.valueOf(reference.name)) {
            scratch += *value;
        } else if (unknown == Unknown::kept) {
            scratch += text.substr(0, reference.length);
        }
        text.remove_prefix(reference.length);
    }
    scratch.resize(std::min(scratch.size(), kMaxExpanded));
    return scratch;
}

} // namespace reef::compose
