#pragma once

#include "base/version.h"

#include <sys/types.h>

#include <string>
#include <vector>

namespace reef::app {

/// The libraries in this binary with their versions: those that only app/ may include, then the C
/// and C++ ones.
std::vector<Component> linkedLibraries();

/// The JSON of `GET /status` as lines for a person.
std::string describeStatus(const std::string& json);

/// The keeper's process id in that JSON.
pid_t keeperIn(const std::string& json);

} // namespace reef::app
