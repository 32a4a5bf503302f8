#pragma once

#include "base/fd.h"
#include "base/result.h"
#include "process/keeper.h"
#include "process/listeners.h"
#include "process/outbox.h"
#include "process/protocol.h"
#include "process/spawn.h"
#include "process/start_failure.h"

#include <poll.h>
#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace reef::process {

/// The server as the keeper sees it: a child with a control socket. It is not tied to the keeper's
/// life by a signal: when the keeper is killed it sees its sockets close, and has islands to end.
class ServerProcess {
public:
    ServerProcess(ServerProgram program, unsigned links);

    /// Starts a server with its inheritance; `keepersLinks` are set to our ends of the links. The
    /// one before must have ended. Failures: of the program's start, or `StartStep::descriptors`
    /// when there are no sockets to be had.
    StartResult<void> start(const Listeners& listeners, std::vector<Fd>& keepersLinks);

    /// It was reaped.
    void ended() noexcept;

    bool running() const noexcept { return pid_ != 0; }
    pid_t pid() const noexcept { return pid_; }
    std::uint32_t generation() const noexcept { return generation_; }

    /// Kills its whole process group.
    void kill() noexcept;

    /// Sends a notice, with descriptors when it has some. A server that is gone is no failure: its
    /// end is told by the kernel.
    void tell(const ControlNotice& notice, std::span<const int> descriptors = {});

    /// Appends what to wait for.
    void watch(std::vector<pollfd>& entries) const;
    int controlDescriptor() const noexcept { return control_.get(); }

    /// Sends what waits.
    void flush();

    /// The next packet from the server into `room`, or nothing. What is no packet of the protocol
    /// closes the control socket, by which the server knows that it is not wanted.
    std::optional<ByteView> receive(ByteRoom room);

    /// Closes the control socket, and says why in the log.
    void disown(Error why);

private:
    StartResult<pid_t> execute(int control);
    StartResult<void> handOver(const Listeners& listeners, std::vector<Fd>& keepersLinks);

    ServerProgram program_;
    unsigned links_;
    Fd devNull_;
    SignalSet resetSignals_;
    pid_t pid_ = 0;
    std::uint32_t generation_ = 0;
    Fd control_;
    Outbox outbox_;
};

} // namespace reef::process
