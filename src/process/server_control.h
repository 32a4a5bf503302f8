#pragma once

#include "base/fd.h"
#include "base/result.h"
#include "coro/event.h"
#include "coro/scope.h"
#include "coro/task.h"
#include "io/address.h"
#include "io/loop.h"
#include "io/packet.h"
#include "process/outbox.h"
#include "process/protocol.h"

#include <chrono>
#include <deque>
#include <optional>
#include <variant>
#include <vector>

namespace reef::process {

/// The server's end of the control socket, on its first loop. The loop must outlive it.
class ServerControl {
public:
    /// Throws std::system_error when epoll refuses the socket.
    ServerControl(io::Loop& loop, Fd control);
    ServerControl(const ServerControl&) = delete;
    ServerControl& operator=(const ServerControl&) = delete;

    /// What the keeper wants of the server. Lost: the keeper is gone, exit at once.
    struct Reload {};
    struct Stop {
        std::chrono::milliseconds grace; ///< then the keeper kills
    };
    struct Lost {};
    using Wish = std::variant<Reload, Stop, Lost>;

    /// `Wish wish = co_await control.next();` After Lost it is always Lost.
    Task<Wish> next();

    /// Requests are being answered. Errors of these three: peerClosed when the keeper is gone.
    Status ready();

    /// The last request has been answered; the server exits next.
    Status drained();

    /// Asks the keeper to stop everything, as SIGTERM would.
    Status quit();

    /// Listening sockets at `address`, one for each of `copies` loops: bound now, or those the
    /// keeper has. Errors: system (EADDRINUSE, EACCES…), unsupported (other copies than there are;
    /// a unix socket from a keeper that is root), unavailable when the keeper is gone.
    Task<Result<std::vector<Fd>>> listen(io::Address address, std::uint16_t copies);

    /// The keeper closes its sockets of `address`.
    Status unlisten(const io::Address& address);

    /// How the keeper fares. Error: unavailable when it is gone.
    Task<Result<KeeperStatus>> status();

private:
    struct Answer {
        explicit Answer(std::uint32_t number) noexcept : id(number) {}
        std::uint32_t id;
        coro::Event arrived;
        std::int32_t code = 0;
        std::vector<Fd> sockets;
        KeeperStatus status;
        bool lost = true;
    };
    class Waiting;

    Status send(const ControlRequest& request);
    Answer* answerOf(std::uint32_t id) noexcept;
    void apply(const ControlNotice& notice, std::vector<Fd> descriptors);
    Task<void> receive();
    Task<void> drain();
    void lose() noexcept;

    io::PacketSocket socket_;
    Outbox outbox_;
    coro::Event outboxFilled_;
    std::deque<Wish> wishes_;
    coro::Event wished_;
    bool lost_ = false;
    std::vector<Answer*> answers_; // awaited; each lives in the frame that waits for it
    std::uint32_t lastId_ = 0;
    std::vector<char> room_;
    coro::Scope tasks_; // last member: its tasks go first
};

} // namespace reef::process
