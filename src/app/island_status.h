#pragma once

#include "gateway/shared_islands.h"
#include "pageviews/json.h"

namespace reef::app {

/// The value of "islands" in `atoll status --json`: how many run and wait, and the numbers of each.
/// Times are in microseconds, sizes in bytes; see docs/limits.md.
void writeIslands(pageviews::JsonWriter& json, const gateway::SharedIslands& islands);

} // namespace reef::app
