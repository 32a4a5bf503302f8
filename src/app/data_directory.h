#pragma once

#include "base/fd.h"
#include "process/identity.h"

#include <expected>
#include <optional>
#include <string>

namespace reef::app {

/// Makes `data` (absolute; the site's directory is there), if it is missing, and gives it to the
/// user that the server runs as (see serverUser), with the files in it that were its owner's until
/// now: it holds databases, accounts and the control socket, and nobody else may look. Root follows
/// no symbolic link there: whoever owns the site's directory may have made it, and would be given
/// what it points to. Returns the directory, opened; the error is a sentence for the terminal.
std::expected<Fd, std::string> makeDataDirectory(const std::string& data,
                                                 const std::optional<process::Identity>& user);

/// Closes what makeDataDirectory has opened to everybody but its owner, if it is open to others,
/// and returns whether it was: islands that have a user of their own shall not read it. For root.
/// The error is a sentence for the terminal.
std::expected<bool, std::string> closeDataDirectory(const Fd& opened, const std::string& data);

} // namespace reef::app
