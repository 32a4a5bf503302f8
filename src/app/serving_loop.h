#pragma once

#include "app/access_log.h"
#include "app/pageview_log.h"
#include "app/request_logs.h"
#include "coro/scope.h"
#include "io/loop.h"
#include "io/workers.h"
#include "process/keeper_client.h"
#include "serve/loop_server.h"
#include "site/loop_sites.h"

#include <functional>
#include <memory>
#include <vector>

namespace reef::app {

/// A listening socket, what it is bound to, and how its connections begin.
struct ListeningSocket {
    Fd socket;
    io::Address address;
    serve::ListenerOptions options;
};

/// What of the configuration a loop goes by. Replaced as a whole when it is read again.
struct LoopConfig {
    std::shared_ptr<const site::Sites> sites;
    std::shared_ptr<const serve::Settings> settings;
    std::shared_ptr<AccessLog> accessLog; ///< null: none is kept
};

/// What one event loop of the server is given.
struct LoopParts {
    LoopConfig config;
    std::shared_ptr<serve::AddressLimit> addresses; ///< of all loops together
    io::Workers* workers = nullptr;                 ///< outlives the loop
    gateway::SharedIslands* islands = nullptr;      ///< of all loops together; outlives them
    site::PageTraces* pages = nullptr;              ///< the same
    cache::SharedCache* cache = nullptr;            ///< the same
    pageviews::Producer* producer = nullptr;        ///< null: pageviews are off
    Fd keeperLink;
    std::vector<ListeningSocket> listeners;
};

/// An event loop with everything on it that serves the sites. Constructed, run and destroyed on one
/// thread; all calls on that thread, unless they say otherwise.
class ServingLoop {
public:
    explicit ServingLoop(LoopParts parts);

    io::Loop& loop() noexcept { return loop_; }
    void run() { loop_.run(); }
    http::Handler& sites() noexcept { return sites_; }

    /// Requests that begin from now on go by `config`.
    void use(LoopConfig config);

    void listen(ListeningSocket listener);
    void stopListening(const io::Address& address);

    /// Accepts no more, and calls `drained` on this loop when the last connection has ended. Any
    /// thread.
    void drain(std::function<void()> drained);

    /// Open connections.
    std::size_t connections() const noexcept { return server_.connections(); }

private:
    void useAccessLog(std::shared_ptr<AccessLog> log);
    Task<void> drainAll(std::function<void()> drained);

    std::shared_ptr<AccessLog> accessLog_; // outlives the server's last record
    io::Loop loop_;
    process::KeeperClient keeper_;
    PageviewLog pageviews_;
    RequestLogs logs_;
    site::LoopServices services_;
    site::LoopSites sites_;
    serve::LoopServer server_;
    coro::Scope draining_;
};

} // namespace reef::app
