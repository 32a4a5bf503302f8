#pragma once

#include "base/fd.h"
#include "base/result.h"
#include "coro/event.h"
#include "coro/scope.h"
#include "io/loop.h"
#include "io/packet.h"
#include "process/child.h"
#include "process/outbox.h"
#include "process/protocol.h"
#include "process/spawn_request.h"

#include <chrono>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace reef::process {

/// Starts processes through the keeper, for one event loop over one link. It must outlive its
/// children and awaiters, and the loop must outlive it. Used on the loop's thread alone.
class KeeperClient final : public ChildOwner {
public:
    /// `link` is one of Inheritance::links. Throws std::system_error when epoll refuses it.
    KeeperClient(io::Loop& loop, Fd link);
    ~KeeperClient();

    /// `StartResult<Child> child = co_await client.spawn(std::move(request));`
    ///
    /// The request is on its way when this returns, before the await: descriptors it owns are
    /// closed here, those it was lent are used no more. An awaiter that is dropped ends the process
    /// as a dropped Child does. Failures: what the keeper met, by step; `StartStep::request` when
    /// the request cannot be sent (EMFILE, E2BIG); `StartStep::keeper` when the keeper is gone.
    StartAwaiter spawn(SpawnRequest request);

    /// Has every process killed that a child of the keeper has left behind, as far as it has `mark`
    /// in its environment: for children of others (see Child::endAll for one's own).
    void hunt(std::string_view mark);

    /// Set when the keeper is gone: nothing can be started any more, and what was running has been
    /// killed where this process may do so. The server's part is to exit.
    coro::Event& lost() noexcept { return lost_; }

private:
    void terminate(ChildRecord& record, std::chrono::milliseconds grace,
                   std::string_view mark) override;
    StartResult<void> sendSpawn(const ChildRecord& record, SpawnRequest& request);
    Status send(ByteView bytes, std::span<const int> descriptors);
    Status apply(const LinkReply& reply);
    Status readReplies(ByteView packet);
    Task<void> receive();
    Task<void> drain();
    void lose() noexcept;

    io::PacketSocket socket_;
    Outbox outbox_;
    coro::Event outboxFilled_;
    coro::Event lost_;
    std::string packet_;     // the request being encoded
    std::vector<char> room_; // the reply being read
    coro::Scope tasks_;      // last member: its tasks go first
};

} // namespace reef::process
