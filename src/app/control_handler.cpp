#include "app/control_handler.h"

#include <algorithm>

namespace reef::app {

namespace {

constexpr std::string_view kExplain = "/explain/";
constexpr std::string_view kPurge = "/purge/";

} // namespace

/// HOST "-": of no site, which finds the one for all other hosts.
Task<std::string> ControlHandler::explainPage(const http::Request& request) {
    const auto rest = request.target.substr(kExplain.size());
    const auto slash = std::min(rest.find('/'), rest.size());
    const auto host = rest.substr(0, slash);
    co_return co_await actions_.explainer->explain(host == "-" ? "localhost" : host,
                                                   rest.substr(slash), request.id);
}

Task<http::Handled> ControlHandler::handle(http::Request& request, http::ResponseSink& sink) {
    http::ResponseHead head(*request.arena);
    head.fields.add("Content-Type", "application/json");
    std::string answer;
    const bool explains = actions_.explainer != nullptr;
    if (request.path == "/status" && request.method == http::Method::get) {
        answer = actions_.status();
    } else if (request.path == "/stop" && request.method == http::Method::post) {
        answer = "{\"stopping\":true}\n";
    } else if (request.path == "/reload" && request.method == http::Method::post) {
        answer = co_await actions_.reload();
    } else if (request.path.starts_with(kPurge) && request.method == http::Method::post) {
        answer = actions_.purge(request.path.substr(kPurge.size() - 1), request.query);
    } else if (explains && request.path == "/pages" && request.method == http::Method::get) {
        answer = actions_.explainer->recent();
    } else if (explains && request.target.starts_with(kExplain) &&
               request.method == http::Method::post) {
        answer = co_await explainPage(request);
    } else {
        co_return http::failWith(404, "the control socket has nothing of this name");
    }
    const auto sent = co_await http::sendPiece(sink, head, bytesOf(answer));
    if (request.path == "/stop") actions_.stop();
    if (!sent) co_return http::failClient(sent.error());
    co_return http::Handled{};
}

} // namespace reef::app
