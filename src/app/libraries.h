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

/// The processes in that JSON that are the last to go: the keeper and its guardian.
std::vector<pid_t> processesIn(const std::string& json);

} // namespace reef::app
