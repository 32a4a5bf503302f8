#pragma once

#include <string_view>

/// Fuzz targets of what server, keeper and zygotes say to each other.
namespace reef::fuzz {

/// A packet from the other side, whatever that side has become.
void packet(std::string_view input);

/// A packet of a zygote. Each message takes at least its kind, and what it says is in its range.
void zygoteAnswers(std::string_view input);

} // namespace reef::fuzz
