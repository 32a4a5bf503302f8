#pragma once

#include "app/config.h"
#include "base/result.h"

#include <cstddef>
#include <optional>
#include <string>

/// What commands that speak to a running server have in common.
namespace reef::app {

/// Where a site's files are, for commands that need no settings: they work while the file is
/// broken. Nothing: the directory cannot be used, and the person at the terminal was told.
std::optional<Config> placeOf(const std::string& directory);

/// Tells why the site's server cannot be asked. Returns the exit status.
int noServer(const Config& config, Error error);

/// Columns of the terminal; 80 where there is none.
std::size_t terminalWidth();

} // namespace reef::app
