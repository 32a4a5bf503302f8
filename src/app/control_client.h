#pragma once

#include "base/result.h"

#include <chrono>
#include <string>
#include <string_view>

namespace reef::app {

/// Asks the running server of a site over its control socket (see ControlHandler) and returns the
/// content of the answer. Blocks, at most `patience`. Errors: notFound when no server runs there,
/// forbidden, timedOut, failed (an answer other than 200), system.
Result<std::string> askServer(const std::string& socketPath, std::string_view method,
                              std::string_view path,
                              std::chrono::seconds patience = std::chrono::seconds(10));

} // namespace reef::app
