#pragma once

#include <string_view>

/// Fuzz targets of the programs around the rooms.
namespace reef::fuzz {

/// The first line is a format of the access log, the others what a hostile client sends: request
/// line, user agent, cookies, user.
void logLine(std::string_view input);

} // namespace reef::fuzz
