#pragma once

#include "coro/event.h"
#include "coro/scope.h"
#include "io/listener.h"
#include "serve/connection.h"

#include <list>
#include <memory>

namespace reef::serve {

/// Serves the clients of one loop: accepts from its listeners and runs their connections. Must be
/// destroyed before the loop; that drops all connections.
class LoopServer {
public:
    LoopServer(io::Loop& loop, const Settings& settings, http::Handler& handler,
               RequestLog& requestLog)
        : context_(loop, settings, handler, requestLog) {}

    /// Begins to accept from a listening socket.
    void addListener(Fd socket, const io::Address& local);

    /// Stops accepting, ends idle connections; running requests go on and are their connection's
    /// last.
    void beginDraining();

    /// Waits until no connection is left.
    Task<void> drained() { return connections_.join(); }

    std::size_t connections() const noexcept { return connections_.size(); }

private:
    struct Gate {
        Gate(io::Loop& loop, Fd socket, const io::Address& address)
            : listener(loop, std::move(socket)), local(address) {}
        io::Listener listener;
        io::Address local;
    };

    struct Listed;

    Task<void> acceptAll(Gate& gate);
    Task<void> serve(Fd socket, io::Address peer, io::Address local);

    ConnectionContext context_;
    std::list<Gate> gates_;
    std::list<Connection*> open_;
    coro::Event slackened_; ///< a connection ended while the limit was reached
    coro::Scope connections_;
    coro::Scope accepting_; // dropped first: it uses all of the above
};

} // namespace reef::serve
