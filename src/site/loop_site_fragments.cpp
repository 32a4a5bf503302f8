// The parts of a site's pages: requests that the server makes itself.
// clang-format off: the header that this is a part of comes first
#include "site/loop_site.h"
// clang-format on

#include "compose/place.h"
#include "site/decision.h"
#include "site/derived_request.h"
#include "site/entrance.h"

namespace reef::site {

namespace {

constexpr int kMaxRewrites = 10;

/// What a page tells the island, in fields that no visitor can send with the page.
void passFields(const compose::FragmentSpec& spec, http::Request& request) {
    if (spec.fields == nullptr) return;
    for (const auto& [name, value] : *spec.fields)
        request.fields.set(name, value);
}

} // namespace

Task<http::Handled> LoopSite::fragmentInto(http::ResponseSink& sink,
                                           const compose::FragmentSpec& spec,
                                           compose::Place& place) {
    DerivedRequest derived(*spec.page);
    http::Request& request = derived.request();
    request.target = spec.target;
    request.rawPath = spec.rawPath;
    request.path = spec.path;
    request.query = spec.query;
    request.hasQuery = spec.hasQuery;
    request.lineage = spec.lineage();
    passFields(spec, request);
    if (spec.kind == compose::FragmentKind::command)
        co_return co_await runCommand(spec, {request, sink, usual_, &place});
    const bool asClient = spec.page->byIsland;
    if (site_.settings().routes.empty() && !asClient)
        co_return co_await answerFragment(spec, {request, sink, usual_, &place});
    const auto policy = policyWithin(request);
    if (!policy) co_return std::unexpected(policy.error());
    if (asClient) {
        auto refused = co_await refusalOfPart(*policy, request);
        if (refused) co_return std::unexpected(std::move(*refused));
    }
    co_return co_await answerFragment(spec, {request, sink, *policy, &place});
}

/// An island may write down what a stranger has sent: a directive in that opens nothing that the
/// client could not have asked for.
Task<std::optional<http::Failure>> LoopSite::refusalOfPart(const Policy& policy,
                                                           http::Request& request) {
    if (policy.internal) co_return http::Failure(404, "a path for the site itself");
    if (!policy.guards()) co_return std::nullopt;
    if (request.sharedRun != 0) co_return (co_await withdrawn(request)).error();
    co_return co_await refusal(policy, request, services_, Counting::again);
}

/// The rules for what a page includes: routes rewrite it, but do not redirect it.
std::expected<Policy, http::Failure> LoopSite::policyWithin(http::Request& request) {
    auto policy = policyFor(site_.settings().conduct, site_.settings().routes, request);
    for (int rewrites = 0; policy && policy->decision != nullptr; ++rewrites) {
        if (!policy->decision->rewrite || rewrites == kMaxRewrites) break;
        if (auto fault = rewrite(request, *policy)) return http::failWith(500, std::move(*fault));
        policy = policyFor(site_.settings().conduct, site_.settings().routes, request);
    }
    if (policy && policy->decision != nullptr)
        return http::failWith(policy->decision->respond.value_or(502),
                              "a route redirects what the page includes");
    return policy;
}

} // namespace reef::site
