#pragma once

#include "base/fd.h"
#include "base/result.h"
#include "process/children.h"
#include "process/clock.h"
#include "process/identity.h"
#include "process/outbox.h"
#include "process/protocol.h"
#include "process/spawn.h"

#include <poll.h>
#include <sys/resource.h>
#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace reef::process {

/// Answers the requests that arrive on links: starts children, ends them, reports their end. Never
/// waits for anything but a child's exec. The requests come from the server, which may have been
/// taken over: one that breaks the protocol costs the link, as the end of the server does, and a
/// link that is lost costs its children.
class Spawner {
public:
    /// `identities`: what a request may name; empty: index 0 is this process's own. Throws
    /// std::system_error without /dev/null.
    Spawner(std::vector<Identity> identities, std::size_t maxChildren);

    /// Serves a link.
    void addLink(Fd socket);

    /// Closes all links and kills their children.
    void dropLinks();

    /// Appends what to wait for.
    void watch(std::vector<pollfd>& entries) const;

    /// Serves the link that has become ready, one packet at most; ignores a descriptor that is
    /// none.
    void serve(const pollfd& entry, Clock::time_point now);

    /// A child of this process was reaped; it may be none of the links'.
    void reaped(pid_t pid, int waitStatus, const rusage& usage, Clock::time_point now);

    /// Sends the answers that have gathered: one packet for each link, at the end of a turn.
    void flush();

    Children& children() noexcept { return children_; }
    const Children& children() const noexcept { return children_; }
    std::size_t linkCount() const noexcept { return links_.size(); }
    std::uint64_t started() const noexcept { return started_; }
    std::uint64_t failed() const noexcept { return failed_; }

private:
    struct Link {
        std::uint32_t number = 0;
        Fd socket;
        std::string answers; ///< of this turn
        Outbox outbox;
        bool broken = false;
    };
    using Descriptors = std::vector<Fd>;

    void receive(Link& link, Clock::time_point now);
    Status handle(Link& link, ByteView packet, Descriptors& attached, Clock::time_point now);
    Status start(Link& link, const Spawn& request, const Descriptors& attached);
    Status startFromFile(Link& link, const SpawnInFile& request, Descriptors& attached);
    StartResult<pid_t> tryStart(const Spawn& request, const Descriptors& attached);
    void breakLink(Link& link, Error why);
    void removeBroken();

    std::vector<Identity> identities_;
    std::size_t maxChildren_;
    SignalSet resetSignals_;
    Fd devNull_;
    Children children_;
    std::vector<Link> links_;
    std::uint32_t lastLink_ = 0;
    std::uint64_t started_ = 0;
    std::uint64_t failed_ = 0;

    // Room that is used again for each request.
    std::vector<char> packet_;
    std::vector<const char*> arguments_;
    std::vector<const char*> environment_;
};

} // namespace reef::process
