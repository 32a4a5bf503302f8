#pragma once

#include "harness/server.h"

#include <string>

namespace reef::e2e {

/// What `curl` prints for a path of the server's site; `arguments` are words for the shell. Fails
/// the test when curl does not end well, or within 30 seconds.
std::string curl(const Server& server, const std::string& arguments, const std::string& path);

} // namespace reef::e2e
