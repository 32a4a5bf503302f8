#include "app/config_values.h"

#include "base/text.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace reef::app {

std::optional<site::Rate> parseRate(std::string_view text) {
    struct Period {
        std::string_view name;
        std::uint64_t milliseconds;
    };
    constexpr Period kPeriods[] = {{"s", 1000}, {"m", 60'000}, {"h", 3'600'000}};
    constexpr std::uint64_t kMost = 1'000'000;
    constexpr std::uint32_t kLeastBurst = 10;
    const auto count = text::parseDecimal(text::takeUntil(text, '/'));
    const auto* const period = std::ranges::find(kPeriods, text, &Period::name);
    if (!count || *count == 0 || *count > kMost || period == std::end(kPeriods))
        return std::nullopt;
    site::Rate rate;
    rate.count = static_cast<std::uint32_t>(*count);
    rate.period = std::chrono::milliseconds(static_cast<std::int64_t>(period->milliseconds));
    rate.burst =
        std::max(kLeastBurst, static_cast<std::uint32_t>(*count * 1000 / period->milliseconds));
    return rate;
}

} // namespace reef::app
