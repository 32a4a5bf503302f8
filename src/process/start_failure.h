#pragma once

#include "base/result.h"

#include <cstdint>
#include <expected>
#include <string>

namespace reef::process {

/// What was being done when a start failed, in the order it is done.
enum class StartStep : std::uint8_t {
    keeper,        ///< the keeper is gone, or the request did not reach it
    zygoteRefused, ///< a warm interpreter did not take it, and has begun nothing: start it plainly
    zygoteLost,    ///< a warm interpreter ended, or said nothing; nobody knows what has begun
    request,       ///< the request cannot be met: too large, a missing descriptor, unknown identity
    capacity,      ///< the keeper holds as many children as it may
    clone,         ///< making the process: EAGAIN, ENOMEM
    group,         ///< its own process group
    limits,        ///< resource limits
    priority,      ///< nice value
    identity,      ///< user, group, supplementary groups: EPERM when the keeper is not root
    privileges,    ///< no_new_privs
    parentDeath,   ///< the tie to the keeper's life
    directory,     ///< working directory: ENOENT, EACCES
    descriptors,   ///< standard input, output, error and the others
    signals,       ///< mask and dispositions
    program,       ///< ENOENT: no such file. EACCES: not executable. ENOEXEC: neither binary nor #!
    interpreter,   ///< the program exists, and what its #! line (or ELF header) names cannot be run
};

/// Why a process was not started. A plain value.
struct StartFailure {
    StartStep step = StartStep::request;
    int code = 0; ///< errno of that step, or 0

    /// As the rest of the program names it: notFound (program or interpreter missing), forbidden,
    /// tooLarge (E2BIG), unavailable (keeper gone, out of processes, memory or descriptors; later
    /// may work), else failed.
    Error error() const noexcept;

    /// For the log: "its interpreter: No such file or directory".
    std::string describe() const;

    friend bool operator==(const StartFailure&, const StartFailure&) = default;
};

/// What was started, or why nothing was.
template<class T>
using StartResult = std::expected<T, StartFailure>;

inline std::unexpected<StartFailure> failStart(StartStep step, int code) noexcept {
    return std::unexpected(StartFailure{step, code});
}

} // namespace reef::process
