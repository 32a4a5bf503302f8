#pragma once

#include "process/identity.h"

#include <sys/stat.h>

#include <string>

namespace reef::app {

/// Whether the mode bits of a file give this user all of `rights` (of R_OK, W_OK, X_OK). Root may
/// read and write everything, and run what anybody may run.
bool mayUse(const process::Identity& identity, const struct stat& status, int rights) noexcept;

/// Whether this user may enter a directory: it and all above it give the user search permission.
/// Reads mode bits alone; access control lists are not considered.
bool mayEnter(const process::Identity& identity, const std::string& directory);

} // namespace reef::app
