#include "site/policy.h"

#include "base/text.h"

namespace reef::site {

namespace {

constexpr std::size_t kShown = 200; // bytes of a path in a message

void addFields(const Conduct& conduct, http::Request& request) {
    for (const auto& [name, value] : conduct.headers)
        request.answerFields.set(name, value);
}

bool decides(const Route& route) noexcept {
    return route.redirect || route.rewrite || route.respond;
}

} // namespace

void Policy::take(const Conduct& conduct, const Captures& found) noexcept {
    ssi = conduct.ssi.value_or(ssi);
    ssiDialect = conduct.ssiDialect.value_or(ssiDialect);
    ssiExec = conduct.ssiExec.value_or(ssiExec);
    xBitHack = conduct.xBitHack.value_or(xBitHack);
    listing = conduct.listing.value_or(listing);
    compress = conduct.compress.value_or(compress);
    warm = conduct.warm.value_or(warm);
    passAuthorization = conduct.passAuthorization.value_or(passAuthorization);
    queryArguments = conduct.queryArguments.value_or(queryArguments);
    serverTiming = conduct.serverTiming.value_or(serverTiming);
    internal = conduct.internal.value_or(internal);
    if (conduct.interpreters) interpreters = conduct.interpreters.get();
    if (conduct.responseCache) responseCache = conduct.responseCache->get();
    if (conduct.cacheControl) cacheControl = *conduct.cacheControl;
    if (conduct.access) access = &*conduct.access;
    if (conduct.auth) auth = conduct.auth->get();
    if (conduct.tryFiles) {
        tryFiles = *conduct.tryFiles;
        captures = found;
    }
    if (conduct.rate && rateCount_ != kMaxRates) rates_[rateCount_++] = conduct.rate.get();
    if (conduct.islands && groupCount_ != groups_.size())
        groups_[groupCount_++] = conduct.islands.get();
    if (conduct.islandRules && ruleCount_ != rules_.size())
        rules_[ruleCount_++] = &*conduct.islandRules;
}

std::expected<Policy, http::Failure> policyFor(const Conduct& sites, std::span<const Route> routes,
                                               http::Request& request) {
    Policy policy;
    policy.take(sites, Captures());
    addFields(sites, request);
    for (const Route& route : routes) {
        Captures captures;
        const auto verdict = route.match.applies(request, captures);
        if (verdict == Regex::Verdict::unmatched) continue;
        if (verdict == Regex::Verdict::exhausted)
            return std::unexpected(
                http::Failure(500, text::concat("the regular expression of a route gave up on ",
                                                request.path.substr(0, kShown),
                                                request.path.size() > kShown ? "..." : "")));
        policy.take(route.conduct, captures);
        addFields(route.conduct, request);
        if (!decides(route)) continue;
        policy.decision = &route;
        policy.captures = captures;
        break;
    }
    return policy;
}

} // namespace reef::site
