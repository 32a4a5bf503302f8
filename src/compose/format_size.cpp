#include "compose/format_size.h"

#include "base/text.h"

namespace reef::compose {

namespace {

std::string grouped(ByteCount size) {
    auto digits = std::to_string(size);
    for (std::size_t i = digits.size(); i > 3; i -= 3)
        digits.insert(i - 3, ",");
    return digits;
}

std::string padded(std::string text) {
    constexpr std::size_t kWidth = 3;
    return text.size() < kWidth ? std::string(kWidth - text.size(), ' ') + text : text;
}

} // namespace

std::string formatSize(ByteCount size, SizeFormat format) {
    if (format == SizeFormat::bytes) return grouped(size);
    if (size < 973) return padded(std::to_string(size)) + " ";
    for (const char unit : std::string_view("KMGTPE")) {
        const ByteCount rest = size & 1023U;
        size >>= 10U;
        if (size >= 973) continue;
        const bool small = size < 9 || (size == 9 && rest < 973);
        if (!small) return padded(std::to_string(rest >= 512 ? size + 1 : size)) + unit;
        ByteCount tenths = (rest * 5 + 256) / 512;
        if (tenths >= 10) {
            ++size;
            tenths = 0;
        }
        return text::concat(size, ".", tenths, unit);
    }
    return "****";
}

} // namespace reef::compose
