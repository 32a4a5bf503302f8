#pragma once

#include "app/config.h"

namespace reef::app {

/// What the keeper's command line tells the server about its start.
struct ServerStart {
    Config config;
    /// Of the inherited listeners, so many are the site's; one after them is the panel's, if there
    /// is one.
    std::size_t siteListeners = 0;
};

/// The server process: event loops, pageview recorder, panel, control socket. Started by a keeper.
/// Returns the exit status, when the keeper has told it to stop and the last request has been
/// answered.
int runServer(const ServerStart& start);

} // namespace reef::app
