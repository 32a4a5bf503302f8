// Server's part of `atoll reload`: all is prepared and checked before anything changes, so that a
// file that is wrong in any way changes nothing.

#include "app/effective_config.h"
#include "app/server.h"
#include "base/log.h"
#include "base/text.h"
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
    auto bound = co_await listeners_.bind(config->listen);
    if (!bound) co_return Errors{std::move(bound.error())};

    loopConfig_ = {std::make_shared<const site::Sites>(std::move(*sites)),
                   std::make_shared<const serve::Settings>(config->serve)};
    loops_.use(loopConfig_);
    admission_.use(config->islands.admission);
    listeners_.change(config->listen, std::move(*bound));
    source_.setAddresses(listeners_.urls());
    if (accessLog_) accessLog_->reopen();
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
    if (config_.accessLog != fresh.accessLog)
        log::warning("config", "`access_log` has changed: that takes a restart");
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
