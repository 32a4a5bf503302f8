#include "app/server_main.h"

#include "admin/panel.h"
#include "app/banner.h"
#include "app/control_handler.h"
#include "app/loop_thread.h"
#include "app/panel_source.h"
#include "base/log.h"
#include "base/text.h"
#include "io/listener.h"
#include "pageviews/json.h"
#include "pageviews/recorder.h"
#include "process/inheritance.h"
#include "process/server_control.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>

namespace reef::app {

namespace {

/// The panel and the control socket are not the site: nothing of them is counted.
class NoLog final : public serve::RequestLog {
public:
    void record(const serve::RequestRecord&) noexcept override {}
};

std::unique_ptr<pageviews::Recorder> startRecorder(const Config& config) {
    if (!config.pageviews) return nullptr;
    pageviews::RecorderOptions options;
    options.writer.file = config.pageviewFile();
    auto recorder = pageviews::Recorder::start(std::move(options));
    if (recorder) return std::move(*recorder);
    log::error("pageviews", text::concat("views are not recorded: ", recorder.error().describe()));
    return nullptr;
}

std::shared_ptr<const site::Site> loadSite(const Config& config) {
    site::SiteSettings settings;
    settings.documents = config.documents();
    settings.islands = config.islands();
    settings.spool = config.data();
    settings.ssi = config.ssi;
    settings.maxIslands = config.maxIslands;
    settings.islandTimeout = config.islandTimeout;
    auto loaded = site::Site::load(std::move(settings));
    if (!loaded)
        throw std::runtime_error(text::concat("cannot open the site in ", config.directory, ": ",
                                              loaded.error().describe()));
    return std::make_shared<const site::Site>(std::move(*loaded));
}

/// All of one server process. Members stand in the order of their need: what comes later uses what
/// comes before.
class Server {
public:
    Server(const ServerStart& start, process::Inheritance inheritance)
        : config_(start.config), generation_(inheritance.generation),
          recorder_(startRecorder(config_)), site_(loadSite(config_)),
          inherited_(std::move(inheritance)), siteListeners_(start.siteListeners),
          main_(partsOf(0)), accounts_(config_.accountFile()),
          source_(config_, siteAddresses(), recorder_.get()), workers_(2),
          control_(main_.loop(), std::move(inherited_.control)) {
        for (std::size_t i = 1; i < inherited_.links.size(); ++i)
            others_.push_back(std::make_unique<LoopThread>(partsOf(i)));
        openPanel();
        openControlSocket();
    }

    int run();

private:
    LoopParts partsOf(std::size_t index);
    std::vector<std::string> siteAddresses() const;
    void openPanel();
    void openControlSocket();
    void announce();
    std::string statusJson() const;
    Task<void> manage();
    Task<void> drainAll();

    const Config config_;
    std::uint32_t generation_;
    serve::Settings settings_;
    NoLog noLog_;
    std::unique_ptr<pageviews::Recorder> recorder_;
    std::shared_ptr<const site::Site> site_;
    process::Inheritance inherited_;
    std::size_t siteListeners_;
    ServingLoop main_;
    std::vector<std::unique_ptr<LoopThread>> others_;
    admin::Accounts accounts_;
    PanelSource source_;
    io::Workers workers_;
    process::ServerControl control_;
    std::unique_ptr<admin::Panel> panel_;
    std::unique_ptr<serve::LoopServer> panelServer_;
    std::unique_ptr<ControlHandler> controlHandler_;
    std::unique_ptr<serve::LoopServer> controlServer_;
    std::string panelAddress_;
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
    bool clean_ = true;
};

LoopParts Server::partsOf(std::size_t index) {
    LoopParts parts;
    parts.site = site_;
    parts.settings = &settings_;
    parts.producer = recorder_ ? &recorder_->addProducer() : nullptr;
    parts.keeperLink = std::move(inherited_.links[index]);
    for (std::size_t i = 0; i < siteListeners_ && i < inherited_.listeners.size(); ++i) {
        auto& listener = inherited_.listeners[i];
        if (index < listener.sockets.size())
            parts.listeners.push_back({std::move(listener.sockets[index]), listener.address});
    }
    return parts;
}

std::vector<std::string> Server::siteAddresses() const {
    std::vector<std::string> addresses;
    for (std::size_t i = 0; i < siteListeners_ && i < inherited_.listeners.size(); ++i)
        addresses.push_back(urlOf(inherited_.listeners[i].address));
    return addresses;
}

void Server::openPanel() {
    if (inherited_.listeners.size() <= siteListeners_) return;
    auto& listener = inherited_.listeners[siteListeners_];
    panelAddress_ = urlOf(listener.address);
    panel_ = std::make_unique<admin::Panel>(main_.loop(), workers_, accounts_, source_);
    panelServer_ = std::make_unique<serve::LoopServer>(main_.loop(), settings_, *panel_, noLog_);
    panelServer_->addListener(std::move(listener.sockets.front()), listener.address);
}

void Server::openControlSocket() {
    controlHandler_ = std::make_unique<ControlHandler>(
        [this] { return statusJson(); }, [this] { static_cast<void>(control_.quit()); });
    controlServer_ =
        std::make_unique<serve::LoopServer>(main_.loop(), settings_, *controlHandler_, noLog_);
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
    announcement.sites = siteAddresses();
    announcement.panel = panelAddress_;
    announcement.setupToken = token.value_or(std::string());
    announcement.restarted = generation_ > 1;
    const std::string text = describeStart(announcement, ::isatty(STDOUT_FILENO) != 0);
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
}

std::string Server::statusJson() const {
    pageviews::JsonWriter json;
    json.beginObject()
        .key("version")
        .value(versionText())
        .key("pid")
        .value(static_cast<std::uint64_t>(::getpid()))
        .key("keeper")
        .value(static_cast<std::uint64_t>(::getppid()));
    const auto uptime =
        std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - began_);
    json.key("uptime").value(static_cast<std::uint64_t>(uptime.count()));
    json.key("serverStarts").value(generation_);
    json.key("directory").value(config_.directory).key("sites").beginArray();
    for (const auto& address : siteAddresses())
        json.value(address);
    json.endArray().key("panel").value(panelAddress_);
    json.key("loops").value(others_.size() + 1);
    json.key("residentBytes").value(residentBytes().value_or(0));
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

int Server::run() {
    announce();
    if (!control_.ready()) return 1;
    main_.loop().tasks().start(manage());
    main_.run();
    return clean_ ? 0 : 1;
}

Task<void> Server::manage() {
    for (;;) {
        const auto wish = co_await control_.next();
        if (std::holds_alternative<process::ServerControl::Stop>(wish)) {
            co_await drainAll();
            if (recorder_) recorder_->stop();
            clean_ = control_.drained().has_value();
            break;
        }
        if (std::holds_alternative<process::ServerControl::Lost>(wish)) {
            log::error("server", "the keeper is gone; ending");
            clean_ = false;
            break;
        }
        log::warning("server",
                     "the configuration is read at start: restart to apply a changed atoll.toml");
    }
    main_.loop().stop();
}

Task<void> Server::drainAll() {
    coro::Event drained;
    std::size_t left = others_.size() + 1;
    io::Loop& loop = main_.loop();
    const auto oneDrained = [&loop, &drained, &left] {
        loop.post([&drained, &left] {
            if (--left == 0) drained.set();
        });
    };
    if (panelServer_) panelServer_->beginDraining(); // but the control socket answers to the end
    main_.drain(oneDrained);
    for (auto& other : others_)
        other->serving().drain(oneDrained);
    co_await drained.wait();
}

} // namespace

int runServer(const ServerStart& start) {
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
    try {
        Server server(start, std::move(*inheritance));
        return server.run();
    } catch (const std::exception& error) {
        log::error("server", error.what());
        return 2;
    }
}

} // namespace reef::app
