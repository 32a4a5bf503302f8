#pragma once

#include "pageviews/event.h"

#include <cstdint>

/// Time on disk: quarters of an hour since 1970 in UTC, and UTC days of 96 of them. A quarter is
/// the finest grain at which every zone of the world begins its day and hour (rule R14).
namespace reef::pageviews {

inline constexpr std::int64_t kQuartersPerHour = 4;
inline constexpr std::int64_t kQuartersPerDay = 96;

using Quarters = std::chrono::duration<std::int64_t, std::ratio<900>>;

/// The quarter that holds `time`. Before 1970 is 1970.
inline std::int64_t quarterOf(Time time) noexcept {
    const auto quarter = std::chrono::floor<Quarters>(time).time_since_epoch().count();
    return quarter < 0 ? 0 : quarter;
}

/// Its beginning.
inline Time timeOfQuarter(std::int64_t quarter) noexcept {
    return Time(Quarters(quarter));
}

inline std::int64_t dayOfQuarter(std::int64_t quarter) noexcept {
    return quarter / kQuartersPerDay;
}

} // namespace reef::pageviews
