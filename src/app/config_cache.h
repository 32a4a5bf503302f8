#pragma once

#include "app/config_table.h"
#include "site/route.h"

namespace reef::app {

/// Reads `response_cache`, of a site or a route: true (what the answers themselves allow is kept),
/// false, or a table with ttl, stale, stale_if_error, headers and cookies.
void readResponseCache(ConfigTable& table, site::Conduct& conduct);

} // namespace reef::app
