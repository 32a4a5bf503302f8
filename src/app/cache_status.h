#pragma once

#include "base/json.h"
#include "cache/shared_cache.h"

namespace reef::app {

/// The value of "cache" in `atoll status --json`; see docs/response-cache.md.
void writeCache(JsonWriter& json, const cache::Counts& counts);

} // namespace reef::app
