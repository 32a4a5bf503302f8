#include "app/serve_command.h"

#include "app/config.h"
#include "app/config_islands.h"
#include "app/control_client.h"
#include "app/data_directory.h"
#include "app/effective_config.h"
#include "app/server_user.h"
#include "base/log.h"
#include "base/text.h"
#include "process/guardian.h"
#include "process/keeper.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace reef::app {

namespace {

constexpr const char* kDefaultListen[] = {":80", ":8080"};

void say(const std::string& line) {
    std::fputs((line + "\n").c_str(), stderr);
}

/// The processors this process may use: one event loop for each.
unsigned usableProcessors() {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (::sched_getaffinity(0, sizeof set, &set) != 0) return 1;
    return static_cast<unsigned>(CPU_COUNT(&set));
}

std::optional<Config> configFor(const ServeOptions& options) {
    auto config = effectiveConfig(options);
    if (config) return std::move(*config);
    for (const ConfigError& error : config.error())
        say("atoll: " + error.describe());
    return std::nullopt;
}

/// Two servers of one site would share its databases and accounts, and only one could be told to
/// stop.
bool isServedAlready(const Config& config) {
    if (!askServer(config.controlSocket(), "GET", "/status")) return false;
    say(text::concat("atoll: ", config.directory,
                     " is served already (`atoll status` tells more, `atoll stop` ends it)"));
    return true;
}

std::string bindFailure(const io::Address& address, Error error, std::string_view what) {
    std::string advice;
    if (error.systemError() == EADDRINUSE)
        advice = " Another program has it; stop that or choose another port";
    if (error.systemError() == EACCES)
        advice = " Ports below 1024 need root, or choose a higher one";
    return text::concat("atoll: cannot listen at ", address.describe(), " for the ", what, ": ",
                        std::strerror(error.systemError()), ".", advice, " (`",
                        what == "site" ? "listen" : what, "` in atoll.toml).");
}

bool bindSite(const Config& config, unsigned loops, process::Listeners& listeners) {
    for (const ListenAddress& listener : config.listen) {
        const io::Address& address = listener.address;
        const auto bound = listeners.add(address, address.isUnix() ? 1 : loops);
        if (bound) continue;
        say(bindFailure(address, bound.error(), "site"));
        return false;
    }
    if (!config.listen.empty()) return true;
    std::string refusals;
    for (const char* text : kDefaultListen) {
        const io::Address address = *io::Address::parse(text);
        const auto bound = listeners.add(address, loops);
        if (bound) {
            if (!refusals.empty())
                say(text::concat("Port 80 cannot be used (", refusals, "); using 8080."));
            return true;
        }
        if (!refusals.empty()) say(bindFailure(address, bound.error(), "site"));
        refusals = std::strerror(bound.error().systemError());
    }
    return false;
}

bool bindPanel(const Config& config, process::Listeners& listeners) {
    if (!config.panel) return true;
    const auto bound = listeners.add(*config.panel, 1);
    if (bound) return true;
    say(bindFailure(*config.panel, bound.error(), "panel"));
    return false;
}

/// The options with the addresses that they have led to: a port 0 has become a number. The panel's
/// is the last that was bound.
ServeOptions asBound(ServeOptions options, const Config& config,
                     const process::Listeners& listeners) {
    options.directory = config.directory;
    std::vector<std::string> addresses;
    for (const auto& entry : listeners.entries())
        addresses.push_back(entry.address.describe());
    if (config.panel) {
        if (options.panel) options.panel = addresses.back();
        addresses.pop_back();
    }
    if (!options.listen.empty()) options.listen = std::move(addresses);
    return options;
}

int sayAll(const std::vector<std::string>& faults) {
    for (const std::string& fault : faults)
        say("atoll: " + fault);
    return 1;
}

/// The directory of data: the server's, and closed to islands that are somebody else.
bool makeData(const Config& config, const ServerUser& user, const IslandUsers& islands) {
    const auto made = makeDataDirectory(config.data(), user.identity);
    if (!made) {
        say("atoll: " + made.error());
        return false;
    }
    const uid_t server = user.identity ? user.identity->user : ::geteuid();
    const bool areOthers = std::ranges::any_of(
        islands.known, [server](const KnownUser& known) { return known.user != server; });
    const auto closed = areOthers ? closeDataDirectory(*made, config.data()) : false;
    if (!closed) {
        say("atoll: " + closed.error());
        return false;
    }
    if (*closed)
        log::warning("keeper", text::concat(config.data(),
                                            " was open to others, and islands could have read it: "
                                            "it is closed now"));
    return true;
}

} // namespace

int serveSite(const ServeOptions& options) {
    auto config = configFor(options);
    if (!config || isServedAlready(*config)) return 1;
    const auto user = serverUser(config->directory);
    if (!user.whyRoot.empty()) log::warning("keeper", user.whyRoot);
    auto islandUsers = findIslandUsers(*config, user);
    if (!islandUsers) return sayAll(islandUsers.error());
    if (const auto faults = faultsOfIslandLimits(*config, ::getpid()); !faults.empty())
        return sayAll(faults);
    if (!makeData(*config, user, *islandUsers)) return 1;
    if (const auto status = process::splitGuardian()) return *status;

    process::KeeperSpec spec;
    spec.links = usableProcessors();
    if (!bindSite(*config, spec.links, spec.listeners)) return 1;
    if (!bindPanel(*config, spec.listeners)) return 1;

    auto asServer = asBound(options, *config, spec.listeners);
    asServer.users = std::move(islandUsers->known);
    asServer.guardian = process::guardian();
    spec.server.executable = process::openOwnExecutable();
    spec.server.arguments = serverArguments(asServer);
    spec.server.environment = process::ownEnvironment();
    spec.server.identity = user.identity;
    spec.identities = std::move(islandUsers->identities);
    process::Keeper keeper(std::move(spec));
    const int status = keeper.run();
    ::unlink(config->controlSocket().c_str()); // gone already, or of no more use
    return status;
}

} // namespace reef::app
