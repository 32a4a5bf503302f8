#pragma once

#include <string_view>

/// Fuzz targets of what server and keeper say to each other.
namespace reef::fuzz {

/// A packet from the other side, whatever that side has become.
void packet(std::string_view input);

} // namespace reef::fuzz
