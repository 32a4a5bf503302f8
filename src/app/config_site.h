#pragma once

#include "app/config_table.h"
#include "site/site.h"

#include <string>

namespace reef::app {

/// Reads what a site is made of out of its table: the file's own keys for the first site, a
/// [[site]] for each other. `directory` is where relative names begin.
void readSite(ConfigTable& table, const std::string& directory, site::SiteSettings& site);

/// Reads [[route]] entries into the site.
void readRoutes(ConfigTable& table, const std::string& directory, site::SiteSettings& site);

/// Keys that stand in a site and in a route alike: ssi, listing, compress, warm, server_timing,
/// cache, headers, allow, deny, auth, rate, max_islands, and how islands are run.
void readConduct(ConfigTable& table, const std::string& directory, site::Conduct& conduct);

/// Whether text may be the value of a field: no control bytes but tabs.
bool isFieldValue(std::string_view value) noexcept;

/// An absolute name, `name` beginning at `directory` when it is relative.
std::string nameBelow(const std::string& directory, const std::string& name);

} // namespace reef::app
