#pragma once

#include "base/fd.h"
#include "base/result.h"

#include <cstdint>
#include <optional>
#include <string>

namespace reef::io {

/// What becomes of symbolic links on the way to a file.
enum class Links : std::uint8_t {
    refused,  ///< ELOOP
    followed, ///< within the directory
    anywhere  ///< wherever they lead: for directories whose links are all trusted
};

/// Opens `name` below the directory `directory` with openat2(2) and RESOLVE_BENEATH: neither `..`
/// nor a symbolic link leads out, whatever changes meanwhile (Links::anywhere apart, where the
/// caller sees to it that `name` is relative and holds no `..`). `flags` as of open(2);
/// close-on-exec always. Errors: system, with ENOENT, EACCES, EXDEV (a way out), ELOOP (a link,
/// where links are refused)….
Result<Fd> openBeneath(int directory, const char* name, int flags, Links links = Links::followed);

/// The absolute name of what is open as `descriptor` (O_PATH will do), behind all links, as /proc
/// knows it. Empty: it has none any more, or there is no /proc.
std::string realNameOf(int descriptor);

/// Its name below the open `directory`, "sub/file". Nothing: it does not lie there.
std::optional<std::string> realNameBelow(int directory, int descriptor);

/// Whether `path` still leads to the directory that is open as `descriptor`: false when it was
/// moved away or replaced, as careful deployments do.
bool isStillAt(int descriptor, const char* path) noexcept;

} // namespace reef::io
