#pragma once

#include "process/identity.h"

#include <expected>
#include <optional>
#include <string>

namespace reef::app {

/// Makes `data`, if it is missing, and gives it to the user that the server runs as (see
/// serverUser), with the files in it that were its owner's until now: it holds databases, accounts
/// and the control socket, and nobody else may look. The error is a sentence for the terminal.
std::expected<void, std::string> makeDataDirectory(const std::string& data,
                                                   const std::optional<process::Identity>& user);

/// Closes `data` to everybody but its owner, if it is open to others, and returns whether it was:
/// islands that have a user of their own shall not read it. Logs what fails.
bool closeDataDirectory(const std::string& data);

} // namespace reef::app
