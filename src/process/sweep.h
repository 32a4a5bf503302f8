#pragma once

#include <cstddef>
#include <string_view>

namespace reef::process {

/// Marks every descriptor behind standard error close-on-exec: what a careless starter left open
/// must not reach islands.
void closeInheritedOnExec() noexcept;

/// Kills and reaps every descendant of this process, also those that have left their group and
/// session: as the reaper of orphans it gets them all as children, one generation after the other.
/// Returns when none is left, or after 5 s (a process in an uninterruptible wait), which it logs.
void endDescendants();

/// Kills the descendants of this process that have `mark`, a "NAME=value", in their environment as
/// it was at their last exec: also those that have left their group and session. They are stopped
/// before they are killed, so that none forks while it is looked for; this may take some passes
/// over /proc. Returns how many there were; after 0 nothing is left. Those whose environment may
/// not be read (another user's, without CAP_SYS_PTRACE) are not found.
std::size_t killMarked(std::string_view mark);

} // namespace reef::process
