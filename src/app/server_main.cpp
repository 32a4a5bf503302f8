#include "app/server_main.h"

#include "app/effective_config.h"
#include "app/server.h"
#include "base/log.h"

#include <sys/prctl.h>

#include <csignal>

namespace reef::app {

int runServer(const ServeOptions& options) {
    ::signal(SIGPIPE, SIG_IGN);
    ::signal(SIGINT, SIG_IGN); // Ctrl-C reaches the whole terminal group; the keeper decides
    ::signal(SIGHUP, SIG_IGN);
    ::prctl(PR_SET_NAME, "atoll-server");
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    auto inheritance = process::receiveInheritance(Fd(process::kControlDescriptor));
    if (!inheritance) {
        log::error("server", "not started by a keeper: " + inheritance.error().describe());
        return 2;
    }
    auto config = effectiveConfig(options, inheritance->generation);
    if (!config) {
        for (const ConfigError& error : config.error())
            log::error("config", error.describe());
        return 2;
    }
    try {
        Server server(options, std::move(*config), std::move(*inheritance));
        return server.run();
    } catch (const std::exception& error) {
        log::error("server", error.what());
        return 2;
    }
}

} // namespace reef::app
