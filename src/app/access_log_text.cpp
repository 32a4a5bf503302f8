#include "app/access_log_text.h"

namespace reef::app {

namespace {

bool isPlain(char c) noexcept {
    return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

} // namespace

void appendEscaped(std::string& out, std::string_view text) {
    static constexpr char kHex[] = "0123456789abcdef";
    while (!text.empty()) {
        std::size_t plain = 0;
        while (plain < text.size() && isPlain(text[plain]))
            ++plain;
        out.append(text.substr(0, plain));
        if (plain == text.size()) return;
        const char c = text[plain];
        if (c == '"' || c == '\\') {
            out += {'\\', c};
        } else {
            const auto byte = static_cast<unsigned char>(c);
            out += {'\\', 'x', kHex[byte >> 4U], kHex[byte & 15U]};
        }
        text.remove_prefix(plain + 1);
    }
}

} // namespace reef::app
