#pragma once

#include "cache/shared_cache.h"
#include "base/json.h"

namespace reef::app {

/// The value of "cache" in `atoll status --json`; see docs/response-cache.md.
void writeCache(JsonWriter& json, const cache::Counts& counts);

} // namespace reef::app
