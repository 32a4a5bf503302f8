#pragma once

#include "app/serve_command.h"

namespace reef::app {

/// The server process: event loops, pageview recorder, panel, control socket. Started by a keeper,
/// with the options of `atoll serve`. Returns the exit status, when the keeper has told it to stop
/// and the last request has been answered; 2 when it could not start.
int runServer(const ServeOptions& options);

} // namespace reef::app
