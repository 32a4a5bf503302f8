#include "app/server_main.h"

#include "app/effective_config.h"
#include "app/server.h"
#include "base/log.h"

#include <sys/prctl.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>

namespace reef::app {

namespace {

/// As many descriptors as may be had: each client and each island takes some. Islands are the
/// keeper's children and keep the usual limit, which programs that use select(2) count on.
void raiseDescriptorLimit() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    constexpr rlim_t kEnough = 1U << 20U;
    const rlim_t wanted = std::min(limit.rlim_max, kEnough);
    if (limit.rlim_cur >= wanted) return;
    limit.rlim_cur = wanted;
    if (::setrlimit(RLIMIT_NOFILE, &limit) != 0)
        log::warning("server", "the limit of open files stays as it is");
}

} // namespace

int runServer(const ServeOptions& options) {
    ::signal(SIGPIPE, SIG_IGN);
    ::signal(SIGXFSZ, SIG_IGN); // what may not grow any more is an error of the write, EFBIG
    ::signal(SIGINT, SIG_IGN);  // Ctrl-C reaches the whole terminal group; the keeper decides
    ::signal(SIGHUP, SIG_IGN);
    ::prctl(PR_SET_NAME, "atoll-server");
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    raiseDescriptorLimit();
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
