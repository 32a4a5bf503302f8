#pragma once

#include <optional>
#include <string>

namespace reef::app {

/// Asks for a new password: at a terminal unseen and twice, else the first line of standard input.
/// Nothing: the two differ, or there was no line; which was said.
std::optional<std::string> newPassword();

} // namespace reef::app
