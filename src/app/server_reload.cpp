// Server's part of `atoll reload`: all is prepared and checked before anything changes, so that a
// file that is wrong in any way changes nothing.

#include "app/effective_config.h"
#include "app/server.h"
#include "base/json.h"
#include "base/log.h"
#include "base/text.h"
#include "io/sleep.h"

namespace reef::app {

namespace {

using Errors = std::vector<std::string>;

struct Prepared {
    Config config;
    site::Sites sites;
};

/// What takes its time: a file that may be long, and directories that may be far away. On a worker.
std::expected<Prepared, Errors> prepared(const ServeOptions& options, bool hadFile) {
    Config place;
    place.directory = options.directory;
    beginTrial(place);
    auto config = configInsteadOf(options, hadFile);
    auto sites =
        config ? site::Sites::load(config->sites, config->islands) : std::unexpected(std::string());
    endTrial(place);
    if (config && sites) return Prepared{std::move(*config), std::move(*sites)};
    if (config) return std::unexpected(Errors{std::move(sites.error())});
    Errors errors;
    for (const ConfigError& error : config.error())
        errors.push_back(error.describe());
    return std::unexpected(std::move(errors));
}

bool samePlace(const std::optional<io::Address>& a, const std::optional<io::Address>& b) {
    return a.has_value() == b.has_value() && (!a || a->describe() == b->describe());
}

} // namespace

/// Reads the file again and goes by it, unless something is wrong. Whoever asked may leave: what
/// has begun is carried to its end.
Task<std::shared_ptr<const Server::ReloadOutcome>> Server::reload() {
    const auto outcome = std::make_shared<ReloadOutcome>();
    if (reloading_) {
        outcome->errors.emplace_back("the configuration is being read right now");
        co_return outcome;
    }
    reloading_ = true;
    reloads_.start(carryOut(outcome));
    co_await outcome->known.wait();
    co_return outcome;
}

Task<void> Server::carryOut(std::shared_ptr<ReloadOutcome> outcome) {
    outcome->errors = co_await applyFile(outcome->notes);
    reloading_ = false;
    if (outcome->errors.empty()) log::info("config", "atoll.toml was read again, and is in force");
    for (const std::string& note : outcome->notes)
        log::warning("config", note);
    outcome->known.set();
}

Task<std::vector<std::string>> Server::applyFile(std::vector<std::string>& notes) {
    auto prepare = [options = options_, hadFile = hasFile_] { return prepared(options, hadFile); };
    auto ready = co_await workers_.run(loops_.loop(), std::move(prepare));
    if (!ready) co_return std::move(ready.error());
    const Config& config = ready->config;
    auto accessLog = accessLogFor(config.accessLog);
    if (!accessLog) co_return Errors{std::move(accessLog.error())};
    auto bound = co_await listeners_.bind(config.listen);
    if (!bound) co_return Errors{std::move(bound.error())};

    const bool isNew = config.text != text_;
    if (isNew) ++textGeneration_;
    ready->sites.setGeneration(textGeneration_);
    LoopConfig fresh;
    fresh.sites = std::make_shared<const site::Sites>(std::move(ready->sites));
    fresh.settings = std::make_shared<const serve::Settings>(config.serve);
    fresh.accessLog = std::move(*accessLog);
    co_await loops_.use(fresh);
    useAccessLog(fresh.accessLog, config.accessLog);
    loopConfig_ = std::move(fresh);
    islands_.admission.use(config.islands.admission);
    cache_.use(config.cache);
    if (isNew) cache_.purge(cache::Purge::matching("*"));
    text_ = config.text;
    listeners_.change(config.listen, std::move(*bound));
    source_.setAddresses(listeners_.urls());
    hasFile_ = config.text.has_value();
    notes = whatWaits(config);
    auto remember = [config = std::move(ready->config)] {
        rememberAsGood(config);
        return true;
    };
    co_await workers_.run(loops_.loop(), std::move(remember));
    co_return Errors{};
}

/// Some things are made once, at the start.
std::vector<std::string> Server::whatWaits(const Config& fresh) const {
    constexpr std::string_view kNextStart =
        " has changed: it holds from the next start of `atoll serve` on";
    std::vector<std::string> notes;
    if (!samePlace(config_.panel, fresh.panel))
        notes.push_back(text::concat("`panel`", kNextStart));
    if (config_.pageviews != fresh.pageviews)
        notes.push_back(text::concat("`pageviews`", kNextStart));
    return notes;
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
    const auto outcome = co_await reload();
    JsonWriter json;
    json.beginObject();
    json.key("errors").beginArray();
    for (const std::string& error : outcome->errors)
        json.value(error);
    json.endArray().key("notes").beginArray();
    for (const std::string& note : outcome->notes)
        json.value(note);
    json.endArray().endObject();
    co_return json.take() + "\n";
}

} // namespace reef::app
