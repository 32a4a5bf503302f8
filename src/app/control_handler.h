#pragma once

#include "app/explainer.h"
#include "http/handler.h"

#include <functional>
#include <string>
#include <string_view>

namespace reef::app {

/// What `atoll status`, `atoll reload` and `atoll stop` talk to: HTTP over the unix socket
/// data/atoll.sock, which only the server's user can open. `GET /status` answers JSON; `POST
/// /reload` reads atoll.toml again and answers {"errors": [...], "notes": [...]} (notes: what holds
/// from the next start on); `POST /stop` ends the keeper and all below it. `POST
/// /explain/HOST/TARGET` asks a site for a target and tells how that went; `GET /pages` tells of
/// the last pages (app/explainer.h). `POST /purge/PATH?HOST` drops kept answers (cache::Purge; no
/// host: of all) and answers {"dropped": N}.
class ControlHandler final : public http::Handler {
public:
    struct Actions {
        std::function<std::string()> status;
        std::function<void()> stop;
        std::function<Task<std::string>()> reload;
        std::function<std::string(std::string_view pattern, std::string_view host)> purge;
        Explainer* explainer = nullptr; ///< outlives the handler; null: nothing is explained
    };

    explicit ControlHandler(Actions actions) : actions_(std::move(actions)) {}

    Task<http::Handled> handle(http::Request& request, http::ResponseSink& sink) override;

private:
    Task<std::string> explainPage(const http::Request& request);

    Actions actions_;
};

} // namespace reef::app
