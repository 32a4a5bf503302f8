#pragma once

#include "base/bytes.h"
#include "base/fd.h"
#include "base/result.h"
#include "coro/task.h"
#include "http/body.h"

#include <string>

namespace reef::gateway {

/// Content whose length was not known, collected: in memory up to `kMemoryBytes`, then in an
/// unlinked file.
struct Spooled {
    Fd file; ///< positioned at its beginning; fit to be a program's standard input
    ByteCount length = 0;
};

inline constexpr ByteCount kSpoolMemoryBytes = 256_KiB;

/// Reads `body` to its end. `directory`: where the unlinked file is made. Errors: the body's own,
/// tooLarge, system (no space on the disk).
Task<Result<Spooled>> spool(http::Body& body, std::string directory);

} // namespace reef::gateway
