#pragma once

#include "base/json.h"
#include "site/page_traces.h"

#include <string_view>

namespace reef::app {

/// "made", "cached", "stale", "shared".
std::string_view nameOf(compose::FragmentSource source);

/// A page and its fragments, as the control socket and `atoll explain --json` tell them. Times are
/// microseconds since the page began (null: it has not come to that), `when` is milliseconds since
/// 1970.
void writePage(JsonWriter& json, const site::PageRecord& page);

} // namespace reef::app
