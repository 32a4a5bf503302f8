#include "site/entrance.h"

#include "base/text.h"

#include <algorithm>

namespace reef::site {

namespace {

http::Failure tooMany(std::chrono::milliseconds wait, std::string detail) {
    const auto seconds = (wait.count() + 999) / 1000;
    return http::Failure(429, std::move(detail)).with("Retry-After", std::to_string(seconds));
}

std::optional<http::Failure> overRate(const Policy& policy, const http::Request& request) {
    const auto host = io::parseHost(request.endpoints->remoteAddress);
    if (!host) return std::nullopt; // a unix socket's clients are this machine's
    // Not the loop's time, which is that of its last turn: on another loop it may be before the one
    // that the last request was counted at.
    const auto now = std::chrono::steady_clock::now();
    std::chrono::milliseconds longest{0};
    for (RateLimit* const rate : policy.rates()) {
        const auto wait = rate->admit(*host, now);
        if (wait) longest = std::max(longest, *wait);
    }
    if (longest.count() == 0) return std::nullopt;
    return tooMany(longest, "more requests than the rate of this route allows");
}

} // namespace

Task<std::optional<http::Failure>> refusal(const Policy& policy, http::Request& request,
                                           LoopServices& services, Counting counting) {
    if (policy.access != nullptr && !policy.access->admit(request.endpoints->remoteAddress))
        co_return http::Failure(403, "the client's address is not admitted by `allow` and `deny`");
    if (counting == Counting::counted)
        if (auto refused = overRate(policy, request)) co_return refused;
    if (policy.auth == nullptr) co_return std::nullopt;
    const auto shown = request.fields.find("Authorization").value_or(std::string_view{});
    const auto user = co_await policy.auth->admit(
        shown, io::parseHost(request.endpoints->remoteAddress), services.loop, services.workers);
    if (!user && user.error().wait.count() != 0)
        co_return tooMany(user.error().wait, "more passwords of this client than are looked at");
    if (!user)
        co_return http::Failure(401, shown.empty() ? "" : "no user with this name and password")
            .with("WWW-Authenticate", policy.auth->challenge());
    request.remoteUser = request.arena->copy(*user);
    co_return std::nullopt;
}

} // namespace reef::site
