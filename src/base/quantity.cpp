#include "base/quantity.h"

#include "base/text.h"

#include <algorithm>
#include <cstdint>
#include <span>

namespace reef {

namespace {

struct Unit {
    std::string_view name;
    std::uint64_t factor;
};

/// A number and one of the units behind it. Nothing: no such thing, or more than `most`.
std::optional<std::uint64_t> parseWithUnit(std::string_view text, std::span<const Unit> units,
                                           std::uint64_t most) {
    const auto unitAt = std::min(text.find_first_not_of("0123456789"), text.size());
    const auto number = text::parseDecimal(text.substr(0, unitAt));
    const auto unit = std::ranges::find(units, text.substr(unitAt), &Unit::name);
    if (!number || unit == units.end() || *number > most / unit->factor) return std::nullopt;
    return *number * unit->factor;
}

} // namespace

std::optional<std::chrono::milliseconds> parseDuration(std::string_view text) {
    constexpr Unit kUnits[] = {
        {"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}, {"d", 86'400'000}};
    constexpr std::uint64_t kYear = 366ULL * 86'400'000;
    const auto value = parseWithUnit(text, kUnits, kYear);
    if (!value) return std::nullopt;
    return std::chrono::milliseconds(static_cast<std::int64_t>(*value));
}

std::optional<ByteCount> parseSize(std::string_view text) {
    constexpr Unit kUnits[] = {{"", 1},
                               {"B", 1},
                               {"KB", 1ULL << 10U},
                               {"MB", 1ULL << 20U},
                               {"GB", 1ULL << 30U},
                               {"TB", 1ULL << 40U}};
    return parseWithUnit(text, kUnits, 1ULL << 50U);
}

} // namespace reef
