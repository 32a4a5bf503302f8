#pragma once

#include "app/pageview_log.h"
#include "io/loop.h"
#include "process/inheritance.h"
#include "process/keeper_client.h"
#include "serve/loop_server.h"
#include "site/loop_site.h"

#include <functional>
#include <memory>
#include <vector>

namespace reef::app {

/// A listening socket and what it is bound to.
struct ListeningSocket {
    Fd socket;
    io::Address address;
};

/// What one event loop of the server is given.
struct LoopParts {
    std::shared_ptr<const site::Site> site;
    const serve::Settings* settings = nullptr;
    pageviews::Producer* producer = nullptr; ///< null: pageviews are off
    Fd keeperLink;
    std::vector<ListeningSocket> listeners;
};

/// An event loop with everything on it that serves the site. Constructed, run and destroyed on one
/// thread.
class ServingLoop {
public:
    explicit ServingLoop(LoopParts parts);

    io::Loop& loop() noexcept { return loop_; }
    void run() { loop_.run(); }

    /// Accepts no more, and calls `drained` on this loop when the last connection has ended. Any
    /// thread.
    void drain(std::function<void()> drained);

    /// Open connections. On this loop's thread.
    std::size_t connections() const noexcept { return server_.connections(); }

private:
    Task<void> drainAll(std::function<void()> drained);

    io::Loop loop_;
    process::KeeperClient keeper_;
    PageviewLog log_;
    site::LoopSite site_;
    serve::LoopServer server_;
    coro::Scope draining_;
};

} // namespace reef::app
