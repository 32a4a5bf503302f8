#pragma once

#include "base/result.h"

#include <cstddef>
#include <string>

namespace reef::app {

/// The content of a file that an administrator names. Never waits: what is no regular file (a pipe,
/// a device, a directory, or a link to one) is refused before a byte is read. Errors: notFound,
/// unsupported (no regular file), tooLarge (more than `most` bytes), system.
Result<std::string> readRegularFile(const std::string& name, std::size_t most);

} // namespace reef::app
