// Server's part of `atoll reload`: all is prepared and checked before anything changes, so that a
// file that is wrong in any way changes nothing.

#include "app/effective_config.h"
#include "app/server.h"
#include "base/log.h"
#include "base/text.h"
#include "io/sleep.h"
#include "pageviews/json.h"

namespace reef::app {

namespace {

bool samePlace(const std::optional<io::Address>& a, const std::optional<io::Address>& b) {
    return a.has_value() == b.has_value() && (!a || a->describe() == b->describe());
}

} // namespace

/// Reads the file again and goes by it. What is wrong, a sentence each; none: done. Whoever asked
/// may leave: what has begun is carried to its end.
Task<std::vector<std::string>> Server::reload() {
    if (reloading_) co_return std::vector<std::string>{"the configuration is being read right now"};
    reloading_ = true;
    const auto outcome = std::make_shared<ReloadOutcome>();
    reloads_.start(carryOut(outcome));
    co_await outcome->known.wait();
    co_return outcome->errors;
}

Task<void> Server::carryOut(std::shared_ptr<ReloadOutcome> outcome) {
    outcome->errors = co_await applyFile();
    reloading_ = false;
    if (outcome->errors.empty()) log::info("config", "atoll.toml was read again, and is in force");
    outcome->known.set();
}

Task<std::vector<std::string>> Server::applyFile() {
    using Errors = std::vector<std::string>;
    auto config = effectiveConfig(options_);
    if (!config) {
        Errors errors;
        for (const ConfigError& error : config.error())
            errors.push_back(error.describe());
        co_return errors;
    }
    auto sites = site::Sites::load(config->sites, config->islands);
    if (!sites) co_return Errors{std::move(sites.error())};
    auto accessLog = accessLogFor(config->accessLog);
    if (!accessLog) co_return Errors{std::move(accessLog.error())};
    auto bound = co_await listeners_.bind(config->listen);
    if (!bound) co_return Errors{std::move(bound.error())};

    LoopConfig fresh;
    fresh.sites = std::make_shared<const site::Sites>(std::move(*sites));
    fresh.settings = std::make_shared<const serve::Settings>(config->serve);
    fresh.accessLog = std::move(*accessLog);
    co_await loops_.use(fresh);
    useAccessLog(fresh.accessLog, config->accessLog);
    loopConfig_ = std::move(fresh);
    islands_.admission.use(config->islands.admission);
    listeners_.change(config->listen, std::move(*bound));
    source_.setAddresses(listeners_.urls());
    noteWhatWaits(*config);
    rememberAsGood(*config);
    co_return Errors{};
}

/// Some things are made once, at the start.
void Server::noteWhatWaits(const Config& fresh) {
    if (!samePlace(config_.panel, fresh.panel))
        log::warning("config", "`panel` has changed: that takes a restart");
    if (config_.pageviews != fresh.pageviews)
        log::warning("config", "`pageviews` has changed: that takes a restart");
}

/// The log at work, if it is the one that is wanted; else a new one.
std::expected<std::shared_ptr<AccessLog>, std::string>
Server::accessLogFor(const std::optional<AccessLogOptions>& wanted) const {
    if (wanted == accessLog_) return loopConfig_.accessLog;
    if (!wanted) return nullptr;
    auto started = AccessLog::start(*wanted);
    if (!started) return std::unexpected("access_log: " + started.error().message);
    return std::move(*started);
}

/// The loops have been told to use `log`, which may be the one that they use.
void Server::useAccessLog(const std::shared_ptr<AccessLog>& log,
                          const std::optional<AccessLogOptions>& options) {
    accessLog_ = options;
    if (log == loopConfig_.accessLog) {
        if (log) log->reopen();
    } else if (loopConfig_.accessLog) {
        reloads_.start(retire(std::move(loopConfig_.accessLog)));
    }
}

/// Writing what is left may take its time, which no loop has.
Task<void> Server::retire(std::shared_ptr<AccessLog> log) {
    constexpr auto kLoopsHaveChanged = std::chrono::seconds(1);
    co_await io::Sleep(loops_.loop(), kLoopsHaveChanged);
    co_await workers_.run(loops_.loop(), [log = std::move(log)] {
        log->stop();
        return true;
    });
}

Task<std::string> Server::reloadJson() {
    const auto errors = co_await reload();
    pageviews::JsonWriter json;
    json.beginObject().key("errors").beginArray();
    for (const std::string& error : errors)
        json.value(error);
    json.endArray().endObject();
    co_return json.take() + "\n";
}

} // namespace reef::app
