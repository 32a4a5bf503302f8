#pragma once

#include "coro/event.h"
#include "coro/scope.h"
#include "io/listener.h"
#include "serve/connection.h"
#include "serve/descriptor_reserve.h"

#include <list>
#include <memory>

namespace reef::serve {

/// Serves the clients of one loop: accepts from its listeners and runs their connections. Must be
/// destroyed before the loop; that drops all connections. All calls on the loop's thread.
///
/// When connections or descriptors run out, the rest waits in the kernel's queue, and connections
/// that only wait for their client make room, the oldest first.
class LoopServer {
public:
    /// Copies the settings. `addresses` is shared with the other loops; null: counts alone.
    LoopServer(io::Loop& loop, const Settings& settings, http::Handler& handler,
               RequestLog& requestLog, std::shared_ptr<AddressLimit> addresses = nullptr)
        : context_(loop, settings, handler, requestLog, std::move(addresses)) {}

    /// For the next request of each connection, and for new connections. Not null.
    void useSettings(std::shared_ptr<const Settings> settings);

    /// Begins to accept from a listening socket.
    void addListener(Fd socket, const io::Address& local, ListenerOptions options = {});

    /// Stops accepting there and closes the socket; open connections stay, and so do those that
    /// wait in its queue. False: there is none.
    bool removeListener(const io::Address& local);

    /// Stops accepting, ends idle connections; running requests go on and are their connection's
    /// last. Who waits in the queue of a listener is served yet.
    void beginDraining();

    /// Waits until no connection is left.
    Task<void> drained() { return connections_.join(); }

    std::size_t connections() const noexcept { return connections_.size(); }

private:
    struct Gate {
        Gate(io::Loop& loop, Fd socket, const io::Address& address, ListenerOptions how)
            : listener(loop, std::move(socket)), local(address), options(how) {}
        io::Listener listener;
        io::Address local;
        ListenerOptions options;
        coro::Scope accepting; // dropped first: it uses all of the above
    };

    struct Listed;

    Task<void> keepAccepting(Gate& gate);
    Task<void> acceptAll(Gate& gate);
    void admit(Gate& gate, io::Accepted accepted);
    void takeQueue(Gate& gate);
    Task<void> endLateHeads();
    Task<void> waitForRoom();
    Task<void> waitForDescriptors();
    void makeRoom() noexcept;
    Task<void> serve(Fd socket, io::Address peer, io::Address local, ListenerOptions options);

    ConnectionContext context_;
    DescriptorReserve reserve_;
    std::list<Connection*> open_; ///< the oldest first
    coro::Event slackened_;       ///< a connection has ended
    coro::Scope connections_;
    coro::Scope ending_;    // of those who do not say what they want, while the server drains
    std::list<Gate> gates_; // dropped before what it uses
};

} // namespace reef::serve
