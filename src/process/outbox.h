#pragma once

#include "base/bytes.h"
#include "base/fd.h"
#include "base/result.h"

#include <deque>
#include <span>
#include <string>
#include <vector>

namespace reef::process {

/// Packets on their way out of a non-blocking packet socket: sent at once while the socket takes
/// them, else kept, in order, until `flush`.
class Outbox {
public:
    /// Sends or keeps. A kept packet holds duplicates of its descriptors, so the caller's may be
    /// closed in any case. Errors: peerClosed, system (EMFILE, ETOOMANYREFS, EMSGSIZE); then the
    /// packet is neither sent nor kept.
    Status send(int socket, ByteView bytes, std::span<const int> descriptors = {});

    /// Sends what the socket takes now. A packet that fails is dropped, and its failure returned.
    Status flush(int socket);

    bool empty() const noexcept { return waiting_.empty(); }
    void clear() noexcept { waiting_.clear(); }

private:
    struct Packet {
        std::string bytes;
        std::vector<Fd> descriptors;
    };
    std::deque<Packet> waiting_;
};

} // namespace reef::process
