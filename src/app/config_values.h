#pragma once

#include "site/rate_limit.h"

#include <optional>
#include <string_view>

/// How values are written in `atoll.toml`, where TOML itself has no word for them.
namespace reef::app {

/// "10/s", "100/m", "1000/h"; the burst is what comes in a second, and at least 10.
std::optional<site::Rate> parseRate(std::string_view text);

} // namespace reef::app
