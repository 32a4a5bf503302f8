#pragma once

#include "process/identity.h"

#include <string>

namespace reef::app {

/// Whether this user may enter a directory: it and all above it give the user search permission.
/// Reads mode bits alone; access control lists are not considered.
bool mayEnter(const process::Identity& identity, const std::string& directory);

} // namespace reef::app
