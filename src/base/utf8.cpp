#include "base/utf8.h"

#include <algorithm>
#include <span>

namespace reef::utf8 {

namespace {

struct Range {
    char32_t first;
    char32_t last;
};

constexpr Range kHidden[] = {
    {0x00, 0x1f},     {0x7f, 0x9f},     {0xad, 0xad},     {0x61c, 0x61c},     {0x180e, 0x180e},
    {0x200b, 0x200b}, {0x200e, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f},   {0xfeff, 0xfeff},
    {0xfff0, 0xfffb}, {0xfffe, 0xffff}, {0xe000, 0xf8ff}, {0xe0000, 0x10ffff}};

constexpr Range kCombining[] = {
    {0x300, 0x36f},   {0x483, 0x489},   {0x591, 0x5bd},   {0x610, 0x61a},   {0x64b, 0x65f},
    {0x6d6, 0x6dc},   {0x900, 0x902},   {0x93c, 0x93c},   {0x941, 0x948},   {0x94d, 0x94d},
    {0xe31, 0xe31},   {0xe34, 0xe3a},   {0xe47, 0xe4e},   {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff},
    {0x200c, 0x200d}, {0x20d0, 0x20ff}, {0x3099, 0x309a}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}};

constexpr Range kWide[] = {
    {0x1100, 0x115f},   {0x231a, 0x231b},   {0x23e9, 0x23ec},   {0x2614, 0x2615},
    {0x2648, 0x2653},   {0x26a1, 0x26a1},   {0x2705, 0x2705},   {0x2728, 0x2728},
    {0x274c, 0x274c},   {0x2b50, 0x2b50},   {0x2e80, 0x303e},   {0x3041, 0x33ff},
    {0x3400, 0x4dbf},   {0x4e00, 0x9fff},   {0xa000, 0xa4cf},   {0xa960, 0xa97f},
    {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},
    {0xffe0, 0xffe6},   {0x1b000, 0x1b2ff}, {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff},
    {0x1f7e0, 0x1f7eb}, {0x1f900, 0x1f9ff}, {0x1fa70, 0x1faff}, {0x20000, 0x3fffd}};

bool within(std::span<const Range> ranges, char32_t value) noexcept {
    return std::ranges::any_of(
        ranges, [value](Range range) { return value >= range.first && value <= range.last; });
}

unsigned octet(std::string_view text, std::size_t index) noexcept {
    return static_cast<unsigned char>(text[index]);
}

} // namespace

CodePoint first(std::string_view text) noexcept {
    if (text.empty()) return {};
    const unsigned lead = octet(text, 0);
    if (lead < 0x80) return {lead, 1};
    const std::size_t length = lead < 0xc2   ? 0
                               : lead < 0xe0 ? 2
                               : lead < 0xf0 ? 3
                               : lead < 0xf5 ? 4
                                             : 0;
    if (length == 0 || text.size() < length) return {};
    char32_t value = lead & (0x7fU >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if ((octet(text, i) & 0xc0U) != 0x80U) return {};
        value = (value << 6U) | (octet(text, i) & 0x3fU);
    }
    const bool overlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
    const bool surrogate = value >= 0xd800 && value <= 0xdfff;
    if (overlong || surrogate || value > 0x10ffff) return {};
    return {value, length};
}

bool isValid(std::string_view text) noexcept {
    while (!text.empty()) {
        const auto point = first(text);
        if (point.length == 0) return false;
        text.remove_prefix(point.length);
    }
    return true;
}

bool isHidden(char32_t value) noexcept {
    return within(kHidden, value);
}

int columns(char32_t value) noexcept {
    if (value < 0x300) return 1;
    if (within(kCombining, value)) return 0;
    return within(kWide, value) ? 2 : 1;
}

std::size_t columns(std::string_view text) noexcept {
    std::size_t total = 0;
    while (!text.empty()) {
        const auto point = first(text);
        total += point.length == 0 ? 1 : static_cast<std::size_t>(columns(point.value));
        text.remove_prefix(std::max<std::size_t>(point.length, 1));
    }
    return total;
}

std::string_view cut(std::string_view text, std::size_t limit) noexcept {
    if (text.size() <= limit) return text;
    std::size_t end = limit;
    while (end > 0 && limit - end < 4 && (octet(text, end) & 0xc0U) == 0x80U)
        --end;
    return text.substr(0, end);
}

std::string escapeForTerminal(std::string_view text) {
    static constexpr char kHex[] = "0123456789abcdef";
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const auto point = first(text);
        const auto length = std::max<std::size_t>(point.length, 1);
        if (point.length != 0 && !isHidden(point.value)) {
            out.append(point.value == '\\' ? "\\\\" : text.substr(0, length));
        } else {
            for (std::size_t i = 0; i < length; ++i)
                out += {'\\', 'x', kHex[octet(text, i) >> 4U], kHex[octet(text, i) & 15U]};
        }
        text.remove_prefix(length);
    }
    return out;
}

} // namespace reef::utf8
