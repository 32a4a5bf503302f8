#include "compose/include_values.h"

#include "base/quantity.h"

#include <algorithm>

namespace reef::compose {

std::expected<bool, std::string_view> readYes(std::string_view text) noexcept {
    if (text == "yes") return true;
    if (text == "no") return false;
    return std::unexpected("expected yes or no");
}

std::expected<std::chrono::milliseconds, std::string_view> readTimeout(std::string_view text) {
    const auto time = parseDuration(text);
    if (time && *time >= std::chrono::milliseconds(1) && *time <= std::chrono::hours(1))
        return *time;
    return std::unexpected("expected a time from 1ms to 1h");
}

std::expected<std::chrono::seconds, std::string_view> readLifetime(std::string_view text) {
    const auto time = parseDuration(text);
    if (time && time->count() % 1000 == 0)
        return std::chrono::duration_cast<std::chrono::seconds>(*time);
    return std::unexpected("expected whole seconds, as in 60s, 10m, 1h");
}

std::expected<unsigned, std::string_view> readRetries(std::string_view text) {
    constexpr std::uint64_t kMost = 5;
    const auto count = text::parseDecimal(text);
    if (count && *count <= kMost) return static_cast<unsigned>(*count);
    return std::unexpected("expected a number from 0 to 5");
}

std::optional<std::string_view> takeName(std::string_view& list) noexcept {
    if (list.empty()) return std::nullopt;
    const auto name = text::trim(text::takeUntil(list, ','));
    const bool sound = std::ranges::all_of(
        name, [](char c) { return text::isAlpha(c) || text::isDigit(c) || c == '_'; });
    return sound ? name : std::string_view();
}

} // namespace reef::compose
