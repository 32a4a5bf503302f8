#pragma once

#include "base/fd.h"
#include "process/identity.h"
#include "process/listeners.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace reef::process {

/// The server as a program. The keeper starts it anew each time, with execve, so that every server
/// has an address space laid out afresh and nobody can learn it by crashing one after another.
struct ServerProgram {
    /// A binary: `openOwnExecutable()`. The descriptor keeps meaning the same file when the name is
    /// given to a newer one. (`ps` shows its number as the name until the server sets another.)
    Fd executable;

    /// argv[0] and what follows. `--keeper-fd 3` is appended.
    std::vector<std::string> arguments;

    std::vector<std::string> environment; ///< "NAME=value"

    /// Who the server runs as; nothing: as the keeper.
    std::optional<Identity> identity;
};

/// The binary that this process runs. Throws std::system_error.
Fd openOwnExecutable();

/// This process's environment as a list.
std::vector<std::string> ownEnvironment();

struct KeeperSpec {
    ServerProgram server;
    Listeners listeners;

    /// Event loops of the server: each gets a link.
    unsigned links = 1;

    /// What children may run as; a Spawn names an index. Empty: index 0 is the keeper's own
    /// identity, which for a keeper that is root means that islands are root.
    std::vector<Identity> identities;

    std::size_t maxChildren = 1024;

    /// How long a server that was told to stop may take to answer what it has begun.
    std::chrono::milliseconds drainGrace = std::chrono::seconds(10);

    /// Called in the keeper when a server says Ready for the first time.
    std::function<void()> firstReady;
};

/// The small privileged process: holds the listening sockets, starts children for the server,
/// restarts the server when it dies, and takes everything with it when it ends.
///
/// One thread and one poll loop, no coroutines. It must be the process's main thread, before any
/// other: children are tied to it, and it takes the signals.
///
/// SIGTERM, SIGINT: the server is told to stop; what is left after the grace is killed. A second
/// one: killed now. SIGHUP: the server is told to reload. When the keeper itself is killed, its
/// children get SIGKILL from the kernel and the server sees its sockets close.
class Keeper {
public:
    /// Blocks the signals it takes, becomes the reaper of orphaned descendants, and makes inherited
    /// descriptors close-on-exec. Throws std::system_error.
    explicit Keeper(KeeperSpec spec);
    ~Keeper();
    Keeper(const Keeper&) = delete;
    Keeper& operator=(const Keeper&) = delete;

    /// Runs until told to stop, and returns the exit status for the process: 0 after a clean stop;
    /// 1 when the server had to be killed or failed in stopping; the server's own exit code when
    /// its first start ended before it was Ready (the configuration is wrong: no restart helps).
    /// No descendant is left then.
    int run();

private:
    class Work;
    std::unique_ptr<Work> work_;
};

} // namespace reef::process
