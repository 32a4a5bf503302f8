#pragma once

#include "base/json.h"
#include "gateway/shared_islands.h"

namespace reef::app {

/// The value of "islands" in `atoll status --json`: how many run and wait, and the numbers of each.
/// Times are in microseconds, sizes in bytes; see docs/limits.md.
void writeIslands(JsonWriter& json, const gateway::SharedIslands& islands);

} // namespace reef::app
