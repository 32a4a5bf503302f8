#pragma once

#include "base/bytes.h"

#include <chrono>
#include <optional>
#include <string_view>

/// Numbers with a unit, as people write them in a configuration or in a page.
namespace reef {

/// "500ms", "30s", "5m", "2h", "7d"; at most a year, 0 only as "0s".
std::optional<std::chrono::milliseconds> parseDuration(std::string_view text);

/// "1024", "16KB", "64MB", "2GB", in powers of 1024; at most 1 PB.
std::optional<ByteCount> parseSize(std::string_view text);

} // namespace reef
