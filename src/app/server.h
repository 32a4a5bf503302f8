#pragma once

#include "admin/accounts.h"
#include "admin/panel.h"
#include "app/access_log.h"
#include "app/config.h"
#include "app/control_handler.h"
#include "app/panel_source.h"
#include "app/serve_command.h"
#include "app/serving_loops.h"
#include "app/site_listeners.h"
#include "coro/event.h"
#include "coro/scope.h"
#include "pageviews/recorder.h"
#include "process/inheritance.h"
#include "process/server_control.h"

#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace reef::app {

/// All of one server process, on its first thread. Members stand in the order of their need: what
/// comes later uses what comes before.
class Server {
public:
    /// Throws std::exception when it cannot serve.
    Server(const ServeOptions& options, Config config, process::Inheritance inheritance);
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    /// Serves until the keeper says stop. Returns the exit status.
    int run();

private:
    LoopParts partsOf(std::size_t index);
    bool isPanel(const process::Inheritance::Listening& listener) const;
    void adoptListeners();
    void openPanel();
    void openControlSocket();
    void announce();
    std::string statusJson() const;
    Task<void> manage();
    Task<Result<bool>> drainAll();

    struct ReloadOutcome {
        coro::Event known;
        std::vector<std::string> errors;
        std::vector<std::string> notes; ///< what is not in force yet, although nothing is wrong
    };

    Task<std::shared_ptr<const ReloadOutcome>> reload();
    Task<void> carryOut(std::shared_ptr<ReloadOutcome> outcome);
    Task<std::vector<std::string>> applyFile(std::vector<std::string>& notes);
    std::expected<std::shared_ptr<AccessLog>, std::string>
    accessLogFor(const std::optional<AccessLogOptions>& wanted) const;
    void useAccessLog(const std::shared_ptr<AccessLog>& log,
                      const std::optional<AccessLogOptions>& options);
    Task<void> retire(std::shared_ptr<AccessLog> log);
    std::vector<std::string> whatWaits(const Config& fresh) const;
    Task<std::string> reloadJson();
    std::string purgeJson(std::string_view pattern, std::string_view host);

    const ServeOptions options_;
    const Config config_; ///< as it was at the start: directories, panel, pageviews
    std::uint32_t generation_;
    LoopConfig loopConfig_;
    std::optional<AccessLogOptions> accessLog_; ///< of the log in `loopConfig_`
    std::shared_ptr<serve::AddressLimit> addresses_ = std::make_shared<serve::AddressLimit>();
    std::unique_ptr<pageviews::Recorder> recorder_;
    io::Workers workers_;
    gateway::SharedIslands islands_;
    site::PageTraces pages_;
    cache::SharedCache cache_;
    std::optional<std::string> text_; ///< of the configuration that is in force
    std::uint64_t textGeneration_ = 1;
    process::Inheritance inherited_;
    ServingLoops loops_;
    process::ServerControl control_;
    SiteListeners listeners_;
    admin::Accounts accounts_;
    PanelSource source_;
    PageviewLog
        uncounted_; ///< of the panel and the control socket: failures are logged, views not counted
    std::unique_ptr<admin::Panel> panel_;
    std::unique_ptr<serve::LoopServer> panelServer_;
    std::unique_ptr<Explainer> explainer_;
    std::unique_ptr<ControlHandler> controlHandler_;
    std::unique_ptr<serve::LoopServer> controlServer_;
    std::string panelAddress_;
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
    bool hasFile_ = config_.text.has_value(); ///< what is in force is out of a file
    bool reloading_ = false;
    bool clean_ = true;
    coro::Scope reloads_; // dropped first
};

} // namespace reef::app
