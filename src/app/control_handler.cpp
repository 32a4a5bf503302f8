#include "app/control_handler.h"

namespace reef::app {

Task<http::Handled> ControlHandler::handle(http::Request& request, http::ResponseSink& sink) {
    http::ResponseHead head(*request.arena);
    head.fields.add("Content-Type", "application/json");
    std::string answer;
    if (request.path == "/status" && request.method == http::Method::get) {
        answer = actions_.status();
    } else if (request.path == "/stop" && request.method == http::Method::post) {
        answer = "{\"stopping\":true}\n";
    } else if (request.path == "/reload" && request.method == http::Method::post) {
        answer = co_await actions_.reload();
    } else {
        co_return http::failWith(
            404, "the control socket answers GET /status, POST /reload and POST /stop");
    }
    const auto sent = co_await http::sendPiece(sink, head, bytesOf(answer));
    if (request.path == "/stop") actions_.stop();
    if (!sent) co_return http::failClient(sent.error());
    co_return http::Handled{};
}

} // namespace reef::app
