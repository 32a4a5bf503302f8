#pragma once

#include "app/config.h"

namespace reef::app {

/// Writes into each site what no island may have sent (site::SiteSettings::neverSent), whatever its
/// roots are: the data of the server, the configuration, files of passwords, the access log, and
/// the islands of all sites. Pure.
void fillNeverSent(Config& config);

} // namespace reef::app
