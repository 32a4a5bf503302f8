#pragma once

#include "base/fd.h"

namespace reef::process {

/// /dev/null for reading and writing. Throws std::system_error: without it nothing can be started.
Fd openDevNull();

} // namespace reef::process
