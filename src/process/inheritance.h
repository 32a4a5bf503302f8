#pragma once

#include "base/fd.h"
#include "base/result.h"
#include "io/address.h"

#include <cstdint>
#include <vector>

namespace reef::process {

/// The descriptor at which a server finds its control socket. The keeper also appends
/// `--keeper-fd 3` to the server's arguments.
inline constexpr int kControlDescriptor = 3;

/// What the keeper gives a server it has started.
struct Inheritance {
    struct Listening {
        io::Address address;
        std::vector<Fd> sockets; ///< one for each loop, or a single one for all
    };

    std::uint32_t generation = 0; ///< 1 for the keeper's first server, 2 after one restart, …
    Fd control;                   ///< for ServerControl
    std::vector<Fd> links;        ///< for KeeperClient, one for each loop
    std::vector<Listening> listeners;
};

/// Receives the inheritance over the control socket. Blocks until it is complete (the keeper has
/// sent it before the server's first instruction), at most 10 s: for the first lines of `main`.
/// Errors: peerClosed, timedOut, malformed, system (EBADF: not started by a keeper).
Result<Inheritance> receiveInheritance(Fd control);

} // namespace reef::process
