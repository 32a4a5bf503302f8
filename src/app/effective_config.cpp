#include "app/effective_config.h"

#include "app/config_islands.h"
#include "app/island_trust.h"
#include "base/fd.h"
#include "base/log.h"
#include "base/text.h"

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace reef::app {

namespace {

using Errors = std::vector<ConfigError>;

std::optional<ConfigError> overrideBy(const ServeOptions& options, Config& config) {
    const auto wrong = [](std::string_view option, std::string_view text, std::string_view or_) {
        return ConfigError{
            std::string(option), 0, 0,
            text::concat('"', text, "\": expected an address such as 127.0.0.1:8080", or_)};
    };
    if (!options.listen.empty()) config.listen.clear();
    for (const std::string& text : options.listen) {
        const auto address = io::Address::parse(text);
        if (!address) return wrong("--listen", text, " or :8080");
        config.listen.emplace_back(*address);
    }
    if (!options.panel) return std::nullopt;
    config.panel.reset();
    if (*options.panel == "off") return std::nullopt;
    const auto address = io::Address::parse(*options.panel);
    if (!address) return wrong("--panel", *options.panel, ", or off");
    config.panel = *address;
    return std::nullopt;
}

std::expected<Config, Errors> overridden(std::expected<Config, Errors> config,
                                         const ServeOptions& options) {
    if (!config) return config;
    if (auto error = overrideBy(options, *config)) return std::unexpected(Errors{*error});
    if (!options.users) return config;
    if (auto assigned = assignIslandUsers(*config, *options.users); !assigned)
        return std::unexpected(Errors{{config->file(), 0, 0, std::move(assigned.error())}});
    Errors faults;
    // The keeper has judged this at its start; since then the file may have become somebody's.
    for (std::string& fault :
         faultsOfAuthorship(*config, Authorship::of(config->directory), ::geteuid()))
        faults.push_back({config->file(), 0, 0, std::move(fault)});
    for (std::string& fault : faultsOfIslandLimits(*config, ::getppid()))
        faults.push_back({config->file(), 0, 0, std::move(fault)});
    if (!faults.empty()) return std::unexpected(std::move(faults));
    return config;
}

std::optional<Config> lastGood(const Config& place, const ServeOptions& options) {
    std::error_code failed;
    if (!std::filesystem::exists(place.lastGoodFile(), failed)) return std::nullopt;
    auto last = overridden(readConfig(place.lastGoodFile(), place.directory), options);
    if (!last) return std::nullopt;
    last->isLastGood = true;
    return std::move(*last);
}

/// Without its file a site is open: what kept visitors out has gone with it.
Errors goneFile(const Config& place) {
    return {{place.file(), 0, 0,
             "the file is gone; put it back, or an empty one if no settings are meant"}};
}

bool hasLastGood(const Config& place) {
    std::error_code failed;
    return std::filesystem::exists(place.lastGoodFile(), failed) || failed;
}

/// At the start by a person, who may have removed the file on purpose.
std::expected<Config, Errors> atFirstStart(const ServeOptions& options, const Config& place) {
    auto config = effectiveConfig(options);
    if (config && !config->text && hasLastGood(place))
        log::warning("config",
                     text::concat(place.file(), " is gone: the settings of last time are "
                                                "not in force, and Atoll serves without any"));
    return config;
}

} // namespace

std::expected<Config, Errors> effectiveConfig(const ServeOptions& options) {
    return overridden(readConfig(options.directory), options);
}

std::expected<Config, Errors> effectiveConfig(const ServeOptions& options,
                                              std::uint32_t generation) {
    Config place;
    place.directory = options.directory;
    std::error_code failed;
    const bool diedOverIt = std::filesystem::remove(place.trialFile(), failed);
    if (generation <= 1) return atFirstStart(options, place);
    if (diedOverIt)
        if (auto last = lastGood(place, options)) {
            log::error("config", text::concat(place.file(),
                                              ": the server died over it; it goes on with the last "
                                              "atoll.toml that was right"));
            return std::move(*last);
        }
    beginTrial(place);
    auto config = effectiveConfig(options);
    if (config && !config->text && hasLastGood(place)) config = std::unexpected(goneFile(place));
    if (config) return config;
    endTrial(place);
    auto last = lastGood(place, options);
    if (!last) return config;
    log::error("config",
               text::concat(config.error().front().describe(),
                            " (the server goes on with the last atoll.toml that was right)"));
    return std::move(*last);
}

std::expected<Config, Errors> configInsteadOf(const ServeOptions& options, bool hadFile) {
    auto config = effectiveConfig(options);
    if (config && !config->text && hadFile) return std::unexpected(goneFile(*config));
    return config;
}

void beginTrial(const Config& place) {
    const Fd made(::open(place.trialFile().c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
}

void endTrial(const Config& place) {
    std::error_code failed;
    std::filesystem::remove(place.trialFile(), failed);
}

void rememberAsGood(const Config& config) {
    const std::string target = config.lastGoodFile();
    std::error_code failed;
    if (!config.text) {
        std::filesystem::remove(target, failed);
        return;
    }
    const std::string fresh = target + ".new";
    std::ofstream file(fresh, std::ios::trunc);
    file << *config.text;
    file.close();
    if (file) std::filesystem::rename(fresh, target, failed);
    if (!file || failed)
        log::warning("config", text::concat("cannot keep a copy of atoll.toml in ", target,
                                            failed ? ": " : "", failed ? failed.message() : ""));
}

std::vector<std::string> serverArguments(const ServeOptions& options) {
    std::vector<std::string> arguments{"atoll-server", options.directory};
    for (const std::string& address : options.listen)
        arguments.insert(arguments.end(), {"--listen", address});
    if (options.panel) arguments.insert(arguments.end(), {"--panel", *options.panel});
    for (const KnownUser& known : options.users.value_or(std::vector<KnownUser>()))
        arguments.insert(arguments.end(), {"--user", known.describe()});
    if (options.guardian != 0)
        arguments.insert(arguments.end(), {"--guardian", std::to_string(options.guardian)});
    return arguments;
}

ServeOptions serveOptionsOf(const std::vector<std::string>& arguments) {
    ServeOptions options;
    options.users.emplace();
    if (arguments.size() > 1) options.directory = arguments[1];
    for (std::size_t i = 2; i + 1 < arguments.size(); i += 2) {
        if (arguments[i] == "--listen") options.listen.push_back(arguments[i + 1]);
        if (arguments[i] == "--panel") options.panel = arguments[i + 1];
        if (arguments[i] == "--guardian")
            options.guardian = static_cast<pid_t>(text::parseDecimal(arguments[i + 1]).value_or(0));
        if (arguments[i] != "--user") continue;
        if (auto known = KnownUser::parse(arguments[i + 1]))
            options.users->push_back(std::move(*known));
    }
    return options;
}

} // namespace reef::app
