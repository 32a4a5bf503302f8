#pragma once

#include <string>

namespace reef::app {

/// `atoll check`: says on standard error, a line each, what is wrong with the configuration, with
/// the rights of directories, with islands and pages. Exit status 0: nothing; 1: the configuration
/// cannot be used; 2: there are faults.
int checkSite(const std::string& directory);

} // namespace reef::app
