#include "compose/encoding.h"

#include "base/text.h"
#include "compose/entities.h"

#include <algorithm>
#include <optional>

namespace reef::compose {

namespace {

constexpr bool isWordByte(char c) noexcept {
    return text::isAlpha(c) || text::isDigit(c);
}

template<class Plain>
std::string percent(std::string_view text, std::string_view digits, Plain isPlain) {
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (isPlain(c)) {
            out += c;
        } else {
            out += {'%', digits[byte >> 4U], digits[byte & 15U]};
        }
    }
    return out;
}

constexpr std::string_view kSmallDigits = "0123456789abcdef";

/// What Apache lets stand in the path of a URL.
std::string urlEncoded(std::string_view text) {
    return percent(text, kSmallDigits, [](char c) {
        return isWordByte(c) || std::string_view("$-_.+!*'(),:@&=/~;").contains(c);
    });
}

std::string formEncoded(std::string_view text) {
    auto out = percent(text, kSmallDigits, [](char c) {
        return isWordByte(c) || std::string_view(".-*_ ").contains(c);
    });
    std::ranges::replace(out, ' ', '+');
    return out;
}

std::string percentDecoded(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const int high = text[i] == '%' && i + 2 < text.size() ? text::hexValue(text[i + 1]) : -1;
        const int low = high < 0 ? -1 : text::hexValue(text[i + 2]);
        if (low < 0 || high * 16 + low == 0) {
            out += text[i];
            continue;
        }
        out += static_cast<char>(high * 16 + low);
        i += 2;
    }
    return out;
}

std::string formDecoded(std::string_view text) {
    std::string plain(text);
    std::ranges::replace(plain, '+', ' ');
    return percentDecoded(plain);
}

constexpr std::string_view kBase64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string base64Encoded(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); i += 3) {
        const auto group = text.substr(i, 3);
        unsigned bits = 0;
        for (std::size_t k = 0; k != 3; ++k)
            bits = bits << 8U | (k < group.size() ? static_cast<unsigned char>(group[k]) : 0U);
        for (std::size_t k = 0; k != 4; ++k)
            out += k <= group.size() ? kBase64[(bits >> (18 - 6 * k)) & 63U] : '=';
    }
    return out;
}

std::string base64Decoded(std::string_view text) {
    std::string out;
    unsigned bits = 0;
    unsigned count = 0;
    for (const char c : text) {
        const auto value = kBase64.find(c);
        if (value == std::string_view::npos) break;
        bits = bits << 6U | static_cast<unsigned>(value);
        count += 6;
        if (count < 8) continue;
        count -= 8;
        out += static_cast<char>((bits >> count) & 255U);
    }
    return out;
}

struct Name {
    std::string_view name;
    Encoding encoding;
};
constexpr Name kNames[] = {{"none", Encoding::none},
                           {"url", Encoding::url},
                           {"urlencoded", Encoding::urlencoded},
                           {"base64", Encoding::base64},
                           {"entity", Encoding::entity}};

} // namespace

std::string encoded(std::string_view text, Encoding encoding) {
    switch (encoding) {
    case Encoding::url:
        return urlEncoded(text);
    case Encoding::urlencoded:
        return formEncoded(text);
    case Encoding::base64:
        return base64Encoded(text);
    case Encoding::entity:
        return text::escapeHtml(text);
    case Encoding::none:
        break;
    }
    return std::string(text);
}

std::string decoded(std::string_view text, Encoding encoding) {
    switch (encoding) {
    case Encoding::url:
        return percentDecoded(text);
    case Encoding::urlencoded:
        return formDecoded(text);
    case Encoding::base64:
        return base64Decoded(text);
    case Encoding::entity: {
        std::string scratch;
        return std::string(decodeEntities(text, scratch));
    }
    case Encoding::none:
        break;
    }
    return std::string(text);
}

std::string encodedByNginx(std::string_view text, Encoding encoding) {
    if (encoding != Encoding::url) return encoded(text, encoding);
    return percent(text, "0123456789ABCDEF", [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte > 0x20 && byte < 0x7f && !std::string_view("\"#%'<>").contains(c);
    });
}

std::optional<EncodingList> readEncodings(std::string_view text, Dialect dialect) {
    EncodingList list;
    while (!text.empty()) {
        const auto word = text::trim(text::takeUntil(text, ','));
        if (word.empty()) continue;
        const auto* const known = std::ranges::find_if(
            kNames, [&](const Name& name) { return text::equalsIgnoreCase(name.name, word); });
        if (known == std::end(kNames)) return std::nullopt;
        const bool apaches =
            known->encoding == Encoding::base64 || known->encoding == Encoding::urlencoded;
        if (dialect == Dialect::nginx && apaches) return std::nullopt;
        if (known->encoding != Encoding::none && !list.add(known->encoding)) return std::nullopt;
    }
    return list;
}

} // namespace reef::compose
