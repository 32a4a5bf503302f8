#pragma once

#include "app/config.h"
#include "app/config_table.h"
#include "gateway/island_rules.h"

#include <functional>
#include <string>
#include <vector>

namespace reef::app {

/// Reads how islands are run, out of the file itself, a [[site]] or a route: island_timeout,
/// island_idle_timeout, user, group and the table island_limits.
void readIslandRules(ConfigTable& table, gateway::IslandRules& rules);

/// Whether the rules say anything at all.
bool saysAnything(const gateway::IslandRules& rules);

/// Each place of the configuration that says how islands are run.
void forEachRules(Config& config, const std::function<void(gateway::IslandRules&)>& visit);

/// Every user that islands are to run as, each once.
std::vector<gateway::IslandUser> islandUsers(const Config& config);

/// The limits that cannot be set, a sentence each (see process::faultsOfLimits). `keeper`: the
/// process that is to set them.
std::vector<std::string> faultsOfIslandLimits(const Config& config, pid_t keeper);

} // namespace reef::app
