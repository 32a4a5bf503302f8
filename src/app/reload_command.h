#pragma once

#include <string>

namespace reef::app {

/// `atoll reload`: has the running server of `directory` read atoll.toml again, and says how that
/// went. Exit status 0: it is in force; 1: the file is wrong, or nobody serves the directory, and
/// nothing has changed.
int reloadSite(const std::string& directory);

} // namespace reef::app
