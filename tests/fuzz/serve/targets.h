#pragma once

#include <string_view>

/// Fuzz targets of the server room.
namespace reef::fuzz {

/// Lines of X-Forwarded-For, X-Forwarded-Proto and Forwarded (the first byte of a line tells which:
/// x, p, f), as a hostile client sends them before an honest proxy adds its own entry.
void forwardedClient(std::string_view input);

} // namespace reef::fuzz
