#include "compose/entities.h"

#include "base/text.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>

namespace reef::compose {

namespace {

struct Named {
    std::string_view name;
    char32_t character;
};

constexpr Named kMarkup[] = {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};

constexpr char32_t kFirstLatin1 = 0xa0;
constexpr std::string_view kLatin1[] = {
    "nbsp",   "iexcl",  "cent",   "pound",  "curren", "yen",    "brvbar", "sect",   "uml",
    "copy",   "ordf",   "laquo",  "not",    "shy",    "reg",    "macr",   "deg",    "plusmn",
    "sup2",   "sup3",   "acute",  "micro",  "para",   "middot", "cedil",  "sup1",   "ordm",
    "raquo",  "frac14", "frac12", "frac34", "iquest", "Agrave", "Aacute", "Acirc",  "Atilde",
    "Auml",   "Aring",  "AElig",  "Ccedil", "Egrave", "Eacute", "Ecirc",  "Euml",   "Igrave",
    "Iacute", "Icirc",  "Iuml",   "ETH",    "Ntilde", "Ograve", "Oacute", "Ocirc",  "Otilde",
    "Ouml",   "times",  "Oslash", "Ugrave", "Uacute", "Ucirc",  "Uuml",   "Yacute", "THORN",
    "szlig",  "agrave", "aacute", "acirc",  "atilde", "auml",   "aring",  "aelig",  "ccedil",
    "egrave", "eacute", "ecirc",  "euml",   "igrave", "iacute", "icirc",  "iuml",   "eth",
    "ntilde", "ograve", "oacute", "ocirc",  "otilde", "ouml",   "divide", "oslash", "ugrave",
    "uacute", "ucirc",  "uuml",   "yacute", "thorn",  "yuml"};
static_assert(std::size(kLatin1) == 96);

constexpr std::size_t kLongestReference = 10; // "#x0010ffff"

std::optional<char32_t> numbered(std::string_view digits) {
    const bool hex = !digits.empty() && text::lower(digits.front()) == 'x';
    if (hex) digits.remove_prefix(1);
    if (digits.empty()) return std::nullopt;
    char32_t value = 0;
    for (const char c : digits) {
        const int digit = text::hexValue(c);
        if (digit < 0 || (!hex && digit > 9)) return std::nullopt;
        value = value * (hex ? 16 : 10) + static_cast<char32_t>(digit);
        if (value > 0x10ffff) return std::nullopt;
    }
    const bool control =
        (value < 0x20 && value != '\t' && value != '\n') || (value >= 0x7f && value < kFirstLatin1);
    const bool surrogate = value >= 0xd800 && value <= 0xdfff;
    if (control || surrogate) return std::nullopt;
    return value;
}

/// What `&reference;` stands for.
std::optional<char32_t> meaningOf(std::string_view reference) {
    if (reference.starts_with('#')) return numbered(reference.substr(1));
    for (const Named& markup : kMarkup) {
        if (markup.name == reference) return markup.character;
    }
    const auto* const name = std::ranges::find(kLatin1, reference);
    if (name == std::end(kLatin1)) return std::nullopt;
    return kFirstLatin1 + static_cast<char32_t>(name - kLatin1);
}

void appendUtf8(std::string& out, char32_t character) {
    const auto put = [&out](char32_t byte) { out += static_cast<char>(byte); };
    const auto tail = [&](unsigned shift) { put(0x80U | ((character >> shift) & 0x3fU)); };
    if (character < 0x80) {
        put(character);
    } else if (character < 0x800) {
        put(0xc0U | (character >> 6U));
        tail(0);
    } else if (character < 0x10000) {
        put(0xe0U | (character >> 12U));
        tail(6);
        tail(0);
    } else {
        put(0xf0U | (character >> 18U));
        tail(12);
        tail(6);
        tail(0);
    }
}

} // namespace

std::string_view decodeEntities(std::string_view text, std::string& scratch) {
    auto mark = text.find('&');
    if (mark == std::string_view::npos) return text;
    scratch.clear();
    while (mark != std::string_view::npos) {
        scratch += text.substr(0, mark);
        text.remove_prefix(mark);
        const auto end = text.substr(0, kLongestReference + 2).find(';');
        std::optional<char32_t> character;
        if (end != std::string_view::npos) character = meaningOf(text.substr(1, end - 1));
        if (character) {
            appendUtf8(scratch, *character);
            text.remove_prefix(end + 1);
        } else {
            scratch += '&';
            text.remove_prefix(1);
        }
        mark = text.find('&');
    }
    scratch += text;
    return scratch;
}

} // namespace reef::compose
