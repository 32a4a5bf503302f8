#include "admin/visible.h"

#include "base/utf8.h"

namespace reef::admin {
namespace {

constexpr std::string_view kHex = "0123456789abcdef";

void appendByte(std::string& out, unsigned char byte) {
    out += {'\\', 'x', kHex[byte >> 4U], kHex[byte & 15U]};
}

void appendCodePoint(std::string& out, char32_t value) {
    out += "\\u{";
    int shift = 20;
    while (shift > 0 && (value >> static_cast<unsigned>(shift)) == 0)
        shift -= 4;
    for (; shift >= 0; shift -= 4)
        out += kHex[(value >> static_cast<unsigned>(shift)) & 15U];
    out += '}';
}

} // namespace

std::string visible(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const auto point = utf8::first(text);
        const std::size_t length = point.length == 0 ? 1 : point.length;
        if (point.length == 0 || point.value < 0x20 || point.value == 0x7f) {
            appendByte(out, static_cast<unsigned char>(text[0]));
        } else if (utf8::isHidden(point.value)) {
            appendCodePoint(out, point.value);
        } else {
            out += text.substr(0, length);
        }
        text.remove_prefix(length);
    }
    return out;
}

} // namespace reef::admin
