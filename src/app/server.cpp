#include "app/server.h"

#include "app/banner.h"
#include "app/cache_status.h"
#include "app/effective_config.h"
#include "app/island_status.h"
#include "base/json.h"
#include "base/log.h"
#include "base/text.h"
#include "io/listener.h"
#include "io/within.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <stdexcept>

namespace reef::app {

namespace {

std::unique_ptr<pageviews::Recorder> startRecorder(const Config& config) {
    if (!config.pageviews) return nullptr;
    pageviews::RecorderOptions options;
    options.writer.file = config.pageviewFile();
    auto recorder = pageviews::Recorder::start(std::move(options));
    if (recorder) return std::move(*recorder);
    log::error("pageviews", text::concat("views are not recorded: ", recorder.error().describe()));
    return nullptr;
}

LoopConfig loadAtStart(const Config& config) {
    auto sites = site::Sites::load(config.sites, config.islands);
    if (!sites) throw std::runtime_error(sites.error());
    LoopConfig loops;
    sites->setGeneration(1);
    loops.sites = std::make_shared<const site::Sites>(std::move(*sites));
    loops.settings = std::make_shared<const serve::Settings>(config.serve);
    if (!config.accessLog) return loops;
    auto log = AccessLog::start(*config.accessLog);
    if (!log) throw std::runtime_error("access_log: " + log.error().message);
    loops.accessLog = std::move(*log);
    return loops;
}

std::vector<std::string> urlsOf(const Config& config) {
    std::vector<std::string> urls;
    for (const ListenAddress& listener : config.listen)
        urls.push_back(urlOf(listener.address));
    return urls;
}

} // namespace

Server::Server(const ServeOptions& options, Config config, process::Inheritance inheritance)
    : options_(options), config_(std::move(config)), generation_(inheritance.generation),
      loopConfig_(loadAtStart(config_)), accessLog_(config_.accessLog),
      recorder_(startRecorder(config_)), workers_(2), islands_(config_.islands.admission),
      cache_(config_.cache), text_(config_.text), inherited_(std::move(inheritance)),
      loops_(inherited_.links.size(), [this](std::size_t index) { return partsOf(index); }),
      control_(loops_.loop(), std::move(inherited_.control)), listeners_(loops_, control_),
      accounts_(config_.accountFile()),
      source_(config_, urlsOf(config_), recorder_.get(), islands_, pages_), uncounted_(nullptr) {
    adoptListeners();
    openPanel();
    openControlSocket();
}

Server::~Server() {
    workers_.stop(); // what they do is for loops that go before them
}

bool Server::isPanel(const process::Inheritance::Listening& listener) const {
    return config_.panel && config_.panel->describe() == listener.address.describe();
}

LoopParts Server::partsOf(std::size_t index) {
    LoopParts parts;
    parts.config = loopConfig_;
    parts.addresses = addresses_;
    parts.workers = &workers_;
    parts.islands = &islands_;
    parts.pages = &pages_;
    parts.cache = &cache_;
    parts.producer = recorder_ ? &recorder_->addProducer() : nullptr;
    parts.keeperLink = std::move(inherited_.links[index]);
    return parts;
}

/// The keeper's sockets: the panel's is for openPanel, the others are the site's.
void Server::adoptListeners() {
    std::vector<SiteListeners::Bound> bound;
    for (auto& listener : inherited_.listeners) {
        if (isPanel(listener)) continue;
        ListenAddress known(listener.address);
        for (const ListenAddress& wanted : config_.listen)
            if (wanted.address.describe() == known.address.describe()) known = wanted;
        bound.push_back({known, std::move(listener.sockets)});
    }
    listeners_.change(config_.listen, std::move(bound));
    source_.setAddresses(listeners_.urls());
}

void Server::openPanel() {
    for (auto& listener : inherited_.listeners) {
        if (!isPanel(listener)) continue;
        panelAddress_ = urlOf(listener.address);
        panel_ = std::make_unique<admin::Panel>(loops_.loop(), workers_, accounts_, source_);
        panelServer_ = std::make_unique<serve::LoopServer>(loops_.loop(), serve::Settings(),
                                                           *panel_, uncounted_);
        panelServer_->addListener(std::move(listener.sockets.front()), listener.address);
    }
}

void Server::openControlSocket() {
    explainer_ = std::make_unique<Explainer>(loops_.sites(), pages_);
    controlHandler_ = std::make_unique<ControlHandler>(ControlHandler::Actions{
        [this] { return statusJson(); }, [this] { static_cast<void>(control_.quit()); },
        [this] { return reloadJson(); },
        [this](std::string_view pattern, std::string_view host) {
            return purgeJson(pattern, host);
        },
        explainer_.get()});
    controlServer_ = std::make_unique<serve::LoopServer>(loops_.loop(), serve::Settings(),
                                                         *controlHandler_, uncounted_);
    const auto address = io::Address::parse("unix:" + config_.controlSocket());
    if (!address) {
        log::warning("server", text::concat("no control socket: the path ", config_.controlSocket(),
                                            " is too long"));
        return;
    }
    const mode_t before = ::umask(0077); // for this user alone; the other loops create no files
    auto socket = io::listenAt(*address);
    ::umask(before);
    if (!socket) {
        log::warning("server", text::concat("no control socket: ", socket.error().describe()));
        return;
    }
    controlServer_->addListener(std::move(*socket), *address);
}

/// What the person at the terminal needs to know. After a restart only a new one-time link is worth
/// a line.
void Server::announce() {
    std::optional<std::string> token;
    if (panel_) {
        auto offered = accounts_.offerSetup();
        if (offered) {
            token = std::move(*offered);
        } else {
            log::error("panel", offered.error().message);
        }
    }
    Announcement announcement;
    announcement.directory = config_.directory;
    announcement.sites = listeners_.urls();
    announcement.panel = panelAddress_;
    announcement.setupToken = token.value_or(std::string());
    announcement.restarted = generation_ > 1;
    const std::string text = describeStart(announcement, ::isatty(STDOUT_FILENO) != 0);
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
}

std::string Server::statusJson() const {
    JsonWriter json;
    json.beginObject()
        .key("version")
        .value(versionText())
        .key("pid")
        .value(static_cast<std::uint64_t>(::getpid()))
        .key("keeper")
        .value(static_cast<std::uint64_t>(::getppid()))
        .key("guardian")
        .value(static_cast<std::uint64_t>(options_.guardian));
    const auto uptime =
        std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - began_);
    json.key("uptime").value(static_cast<std::uint64_t>(uptime.count()));
    json.key("serverStarts").value(generation_);
    json.key("directory").value(config_.directory).key("sites").beginArray();
    for (const auto& address : listeners_.urls())
        json.value(address);
    json.endArray().key("panel").value(panelAddress_);
    json.key("loops").value(loops_.size());
    json.key("residentBytes").value(residentBytes().value_or(0));
    json.key("islands");
    writeIslands(json, islands_);
    json.key("cache");
    writeCache(json, cache_.counts());
    if (recorder_) {
        const auto counts = recorder_->counts();
        json.key("views")
            .beginObject()
            .key("written")
            .value(counts.written)
            .key("dropped")
            .value(counts.dropped);
        json.endObject();
    }
    json.endObject();
    return json.take() + "\n";
}

std::string Server::purgeJson(std::string_view pattern, std::string_view host) {
    const std::uint64_t dropped = cache_.purge(cache::Purge::matching(pattern, host));
    JsonWriter json;
    json.beginObject().key("dropped").value(dropped).endObject();
    return json.take() + "\n";
}

int Server::run() {
    announce();
    if (!control_.ready()) return 1;
    endTrial(config_);
    if (!config_.isLastGood) rememberAsGood(config_);
    loops_.loop().tasks().start(manage());
    loops_.run();
    return clean_ ? 0 : 1;
}

Task<void> Server::manage() {
    for (;;) {
        const auto wish = co_await control_.next();
        if (const auto* const stop = std::get_if<process::ServerControl::Stop>(&wish)) {
            // A little before the keeper kills, so that the logs are whole.
            constexpr auto kForLogs = std::chrono::seconds(1);
            const auto patience = std::max<io::Timeout>(stop->grace - kForLogs, stop->grace / 2);
            const auto whole = co_await io::Within<bool>(loops_.loop(), patience, drainAll());
            if (!whole) log::warning("server", "requests that still run are cut: time is up");
            if (recorder_) recorder_->stop();
            if (loopConfig_.accessLog) loopConfig_.accessLog->stop();
            clean_ = control_.drained().has_value();
            break;
        }
        if (std::holds_alternative<process::ServerControl::Lost>(wish)) {
            log::error("server", "the keeper is gone; ending");
            clean_ = false;
            break;
        }
        const auto outcome = co_await reload();
        for (const std::string& error : outcome->errors)
            log::error("config", error);
    }
    loops_.loop().stop();
}

Task<Result<bool>> Server::drainAll() {
    if (panelServer_) panelServer_->beginDraining(); // but the control socket answers to the end
    co_await loops_.drain();
    co_return true;
}

} // namespace reef::app
