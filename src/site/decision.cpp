#include "site/decision.h"

#include "base/text.h"
#include "site/derived_request.h"

namespace reef::site {

Task<http::Handled> answerDecision(http::Request& request, http::ResponseSink& sink,
                                   const Policy& policy) {
    const Route& route = *policy.decision;
    if (route.respond) co_return http::failWith(*route.respond, "a route answers with this status");
    const Redirect& redirect = *route.redirect;
    const std::string location = redirect.location.fill(request, policy.captures);
    http::ResponseHead head(*request.arena, redirect.status);
    head.fields.add("Location", location);
    const auto sent = co_await sink.send(head, {});
    if (!sent) co_return http::failClient(sent.error());
    co_return http::Handled{};
}

std::optional<std::string> rewrite(http::Request& request, const Policy& policy) {
    return aimKeepingQuery(request, policy.decision->rewrite->fill(request, policy.captures));
}

std::optional<std::string> aimKeepingQuery(http::Request& request, std::string_view target) {
    if (target.find('?') != std::string_view::npos || !request.hasQuery)
        return aim(request, target);
    return aim(request, text::concat(target, '?', request.query));
}

} // namespace reef::site
