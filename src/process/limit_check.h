#pragma once

#include "process/limits.h"

#include <sys/types.h>

#include <string>
#include <vector>

namespace reef::process {

/// What the process that sets limits may do: the keeper.
struct LimitRights {
    bool mayRaise = false; ///< above the hard limits (CAP_SYS_RESOURCE)
    bool mayHurry = false; ///< below its own nice value (CAP_SYS_NICE)

    /// Of a process, as /proc tells; none when it does not tell.
    static LimitRights of(pid_t pid);
};

/// What of `limits` cannot be set from this process, or from one that has its hard limits and
/// `rights`, a sentence each: `memory`, which is 1073741824, is above ….
std::vector<std::string> faultsOfLimits(const Limits& limits, const LimitRights& rights);

/// The limits that hold where the configuration says nothing: of CPU time 10 minutes, of memory
/// half of the machine's (or of what its container may have), 1024 descriptors, 4096 processes of
/// the island's user, no core file; none is above this process's hard limit.
Limits usualLimits();

} // namespace reef::process
