#pragma once

#include "base/result.h"

#include <string>
#include <string_view>

namespace reef::app {

/// Asks the running server of a site over its control socket (see ControlHandler) and returns the
/// content of the answer. Blocks, at most 10 s. Errors: notFound when no server runs there,
/// forbidden, timedOut, failed (an answer other than 200), system.
Result<std::string> askServer(const std::string& socketPath, std::string_view method,
                              std::string_view path);

} // namespace reef::app
