#pragma once

#include "app/command.h"

#include <string>

namespace reef::app {

/// What `atoll help` prints: commands, options, exit statuses.
std::string generalHelp();

/// What `atoll help COMMAND` prints.
std::string helpOf(const Command& command);

/// The command that was probably meant, or "": one letter is missing, too many, wrong, or two
/// neighbours have changed places.
std::string_view similarCommand(std::string_view word);

} // namespace reef::app
