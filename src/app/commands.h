#pragma once

#include <string>

namespace reef::app {

/// The short commands: each does its work, tells the person at the terminal, and returns the exit
/// status.

enum class Format : bool { text, json };

int showStats(const std::string& directory, Format format);
int showStatus(const std::string& directory, Format format);
int stopServer(const std::string& directory);
int showVersion();

/// Asks for the password on the terminal, or reads one line of standard input.
int addUser(const std::string& directory, const std::string& name);
int changePassword(const std::string& directory, const std::string& name);

} // namespace reef::app
