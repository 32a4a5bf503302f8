#include "http/quality.h"

#include "base/text.h"

namespace reef::http {

std::optional<int> parseQuality(std::string_view text) noexcept {
    if (text.empty() || text.size() > 5 || (text[0] != '0' && text[0] != '1')) return std::nullopt;
    if (text.size() > 1 && text[1] != '.') return std::nullopt;
    int thousandths = (text[0] - '0') * 1000;
    int unit = 100;
    for (const char digit : text.substr(text.size() > 1 ? 2 : 1)) {
        if (!text::isDigit(digit)) return std::nullopt;
        thousandths += (digit - '0') * unit;
        unit /= 10;
    }
    return thousandths <= 1000 ? std::optional(thousandths) : std::nullopt;
}

} // namespace reef::http
