#pragma once

#include "process/identity.h"

#include <expected>
#include <optional>
#include <string>

namespace reef::app {

/// Makes `data`, if it is missing, and gives it to the user that the server runs as (see
/// serverUser): it holds databases, accounts and the control socket, and nobody else may look. The
/// error is a sentence for the terminal.
std::expected<void, std::string> makeDataDirectory(const std::string& data,
                                                   const std::optional<process::Identity>& user);

} // namespace reef::app
