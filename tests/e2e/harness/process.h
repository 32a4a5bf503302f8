#pragma once

#include "base/fd.h"
#include "harness/deadline.h"

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace reef::e2e {

/// How a process ended.
struct Ending {
    int code = 0;   ///< of exit(2)
    int signal = 0; ///< that killed it, else 0

    bool clean() const noexcept { return code == 0 && signal == 0; }
    std::string describe() const;
};

/// A process this program started. The destructor kills and reaps it, if nobody has waited for it.
class ChildProcess {
public:
    /// Descriptors become the child's 0, 1 and 2; they stay the caller's. The child leads a process
    /// group of its own. Throws when it cannot be started.
    ChildProcess(const std::vector<std::string>& command, int input, int output, int errorOutput);
    ~ChildProcess();
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    pid_t pid() const noexcept { return pid_; }
    void signal(int number) const;

    /// Waits for its end, and reaps it. Nothing when the time is over. May be asked again.
    std::optional<Ending> wait(Duration patience = kPatience);

    /// Its end, if it has ended already.
    std::optional<Ending> ending() { return wait(Duration::zero()); }

private:
    pid_t pid_ = -1;
    Fd pidfd_;
    std::optional<Ending> ending_;
};

/// One line of /proc.
struct ProcessEntry {
    pid_t pid = 0;
    pid_t parent = 0;
    pid_t group = 0;
    char state = '?';
    std::string name; ///< as the kernel knows it, at most 15 bytes
};

std::vector<ProcessEntry> childrenOf(pid_t parent);

/// The process and all below it, itself not included.
std::vector<ProcessEntry> descendantsOf(pid_t ancestor);

/// Resident memory in bytes; 0 when the process is gone.
std::size_t residentBytes(pid_t pid);

/// CPU time used so far, user and system.
Duration cpuTime(pid_t pid);

/// Whether a process of this number exists (a zombie does).
bool exists(pid_t pid);

/// Waits until no process of this number is left. False when the time is over.
bool awaitGone(pid_t pid, Duration patience = kPatience);

/// Orphaned descendants of our children become our own children from now on, so that none can hide.
void becomeReaper();

/// Our children that no ChildProcess stands for: descendants of such ones, orphaned. Those that
/// have ended are reaped.
std::vector<ProcessEntry> strays();

} // namespace reef::e2e
