#pragma once

#include "base/bytes.h"
#include "site/rate_limit.h"

#include <chrono>
#include <optional>
#include <string_view>

/// How values are written in `atoll.toml`, where TOML itself has no word for them.
namespace reef::app {

/// "500ms", "30s", "5m", "2h", "7d"; at most a year, 0 only as "0s".
std::optional<std::chrono::milliseconds> parseDuration(std::string_view text);

/// "1024", "16KB", "64MB", "2GB", in powers of 1024; at most 1 PB.
std::optional<ByteCount> parseSize(std::string_view text);

/// "10/s", "100/m", "1000/h"; the burst is what comes in a second, and at least 10.
std::optional<site::Rate> parseRate(std::string_view text);

} // namespace reef::app
