#include "site/welcome.h"

#include "http/pages.h"

namespace reef::site {

Task<http::Handled> sendWelcome(http::Request& request, http::ResponseSink& sink) {
    const std::string page = http::welcomePage();
    http::ResponseHead head(*request.arena);
    head.fields.add("Content-Type", "text/html; charset=utf-8");
    head.fields.add("Cache-Control", "no-store");
    head.fields.add("Content-Security-Policy", http::kPagePolicy);
    const auto sent = co_await http::sendPiece(sink, head, bytesOf(page));
    if (!sent) co_return http::failClient(sent.error());
    co_return http::Handled{};
}

} // namespace reef::site
