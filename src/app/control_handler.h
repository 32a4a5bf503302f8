#pragma once

#include "http/handler.h"

#include <functional>
#include <string>

namespace reef::app {

/// What `atoll status` and `atoll stop` talk to: HTTP over the unix socket data/atoll.sock, which
/// only the server's user can open. `GET /status` answers JSON, `POST /stop` ends the keeper and
/// all below it.
class ControlHandler final : public http::Handler {
public:
    ControlHandler(std::function<std::string()> status, std::function<void()> stop)
        : status_(std::move(status)), stop_(std::move(stop)) {}

    Task<http::Handled> handle(http::Request& request, http::ResponseSink& sink) override;

private:
    std::function<std::string()> status_;
    std::function<void()> stop_;
};

} // namespace reef::app
