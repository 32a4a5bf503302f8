#include "app/serve_command.h"

#include "app/access.h"
#include "app/config.h"
#include "app/control_client.h"
#include "base/log.h"
#include "base/text.h"
#include "process/keeper.h"

#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

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
    auto config = readConfig(options.directory);
    if (!config) {
        for (const ConfigError& error : config.error())
            say("atoll: " + error.describe());
        return std::nullopt;
    }
    if (!options.listen.empty()) config->listen.clear();
    for (const std::string& text : options.listen) {
        const auto address = io::Address::parse(text);
        if (!address) {
            say(text::concat("atoll: --listen ", text,
                             ": expected an address such as 127.0.0.1:8080 or :8080"));
            return std::nullopt;
        }
        config->listen.push_back(*address);
    }
    if (options.panel) {
        const auto address = io::Address::parse(*options.panel);
        if (!address && *options.panel != "off") {
            say(text::concat("atoll: --panel ", *options.panel,
                             ": expected an address such as 127.0.0.1:8081, or off"));
            return std::nullopt;
        }
        config->panel = address ? std::optional(*address) : std::nullopt;
    }
    return std::move(*config);
}

/// Two servers of one site would share its databases and accounts, and only one could be told to
/// stop.
bool isServedAlready(const Config& config) {
    if (!askServer(config.controlSocket(), "GET", "/status")) return false;
    say(text::concat("atoll: ", config.directory,
                     " is served already (`atoll status` tells more, `atoll stop` ends it)"));
    return true;
}

/// data/ holds databases, accounts and the control socket: for the server's user alone.
bool makeDataDirectory(const Config& config, const std::optional<process::Identity>& user) {
    const std::string data = config.data();
    if (::mkdir(data.c_str(), 0700) != 0 && errno != EEXIST) {
        say(text::concat("atoll: cannot make ", data, ": ", std::strerror(errno)));
        return false;
    }
    if (user && ::chown(data.c_str(), user->user, user->group) != 0) {
        say(text::concat("atoll: cannot give ", data, " to user ", user->name, ": ",
                         std::strerror(errno)));
        return false;
    }
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
    for (const io::Address& address : config.listen) {
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

/// Who server and islands run as when the keeper is root: the owner of the site's directory, or the
/// account that web servers usually have; never root, unless nobody else could enter the directory.
std::optional<process::Identity> unprivilegedUser(const Config& config) {
    if (!process::maySwitchIdentity()) return std::nullopt;
    struct stat status{};
    if (::stat(config.directory.c_str(), &status) == 0 && status.st_uid != 0) {
        if (auto owner = process::findIdentity(std::to_string(status.st_uid)))
            return std::move(*owner);
    }
    for (const char* name : {"www-data", "nobody"}) {
        auto identity = process::findIdentity(name);
        if (!identity) continue;
        if (mayEnter(*identity, config.directory)) return std::move(*identity);
        log::warning("keeper",
                     text::concat("islands and server run as root: user ", name, " may not enter ",
                                  config.directory, ". Move the site, for example to /srv/site."));
        return std::nullopt;
    }
    return std::nullopt;
}

} // namespace

int serveSite(const ServeOptions& options) {
    auto config = configFor(options);
    if (!config || isServedAlready(*config)) return 1;
    const auto user = unprivilegedUser(*config);
    if (!makeDataDirectory(*config, user)) return 1;

    process::KeeperSpec spec;
    spec.links = usableProcessors();
    if (!bindSite(*config, spec.links, spec.listeners)) return 1;
    const std::size_t siteListeners = spec.listeners.entries().size();
    if (!bindPanel(*config, spec.listeners)) return 1;

    spec.server.executable = process::openOwnExecutable();
    spec.server.arguments = {"atoll-server", config->directory, std::to_string(siteListeners)};
    spec.server.environment = process::ownEnvironment();
    spec.server.identity = user;
    if (user) spec.identities.push_back(*user);
    process::Keeper keeper(std::move(spec));
    return keeper.run();
}

} // namespace reef::app
