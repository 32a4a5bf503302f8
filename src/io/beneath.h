#pragma once

#include "base/fd.h"
#include "base/result.h"

namespace reef::io {

/// Opens `name` below the directory `directory` with openat2(2) and RESOLVE_BENEATH: neither `..`
/// nor a symbolic link leads out, whatever changes meanwhile. `flags` as of open(2); close-on-exec
/// always. Errors: system, with ENOENT, EACCES, EXDEV (a way out), ELOOP (a link, where links are
/// refused)….
enum class Links : bool { refused, followed };
Result<Fd> openBeneath(int directory, const char* name, int flags, Links links = Links::followed);

} // namespace reef::io
