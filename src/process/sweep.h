#pragma once

namespace reef::process {

/// Marks every descriptor behind standard error close-on-exec: what a careless starter left open
/// must not reach islands.
void closeInheritedOnExec() noexcept;

/// Kills and reaps every descendant of this process, also those that have left their group and
/// session: as the reaper of orphans it gets them all as children, one generation after the other.
/// Returns when none is left, or after 5 s (a process in an uninterruptible wait), which it logs.
void endDescendants();

} // namespace reef::process
