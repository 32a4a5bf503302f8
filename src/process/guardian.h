#pragma once

#include <sys/types.h>

#include <optional>

namespace reef::process {

/// Splits this process in two, of which each ends what the other leaves behind: no process that the
/// keeper has started, nor one that such a process has, outlives the kill of either.
///
/// The first, which goes on as the guardian, has this process's number. It passes on to the second,
/// who is to be the keeper, the signals TERM, INT and HUP that processes send it (the terminal
/// sends its own to both), and waits. Returns the exit status in the guardian, when all is over:
/// the keeper's own; or 1 when the keeper was killed, after what it had started has been ended too:
/// as the reaper of its orphans the guardian reaches them all, whatever their groups, sessions and
/// users. Returns nothing in the second, which goes on; it gets SIGTERM when the guardian is gone.
///
/// Only before the first thread. Throws std::system_error.
std::optional<int> splitGuardian();

/// Of the process that `splitGuardian` has left behind; 0: there was none, or it is gone.
pid_t guardian() noexcept;

} // namespace reef::process
