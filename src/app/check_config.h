#pragma once

#include "app/config.h"
#include "process/identity.h"

#include <string>
#include <vector>

namespace reef::app {

/// What in a configuration can be used and will hardly do what was meant, a sentence each: rules
/// that do not hold for an island's path-info, answers that lead to themselves, addresses that
/// take each other's visitors, an access log that cannot be written or that everybody can read.
/// `runner` is who serves. Looks at directories; blocks.
std::vector<std::string> faultsOfConfig(const Config& config, const process::Identity& runner);

} // namespace reef::app
