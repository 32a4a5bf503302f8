#include "site/loop_site.h"

#include "base/log.h"
#include "base/text.h"
#include "compose/composer.h"
#include "files/file_response.h"
#include "files/listing.h"
#include "http/compressing_sink.h"
#include "http/date.h"
#include "http/path.h"
#include "site/decision.h"
#include "site/derived_request.h"
#include "site/entrance.h"
#include "site/status_sink.h"
#include "site/welcome.h"

namespace reef::site {

namespace {

constexpr int kMaxRedirects = 10;
constexpr int kMaxRewrites = 10;

bool isPage(std::string_view name) {
    constexpr std::string_view kExtension = ".shtml";
    return name.size() >= kExtension.size() &&
           text::equalsIgnoreCase(name.substr(name.size() - kExtension.size()), kExtension);
}

} // namespace

/// What the run of an island asks, for one errand. Local redirects go past the composer of the run,
/// to the sink behind it.
class LoopSite::RunHost final : public gateway::IslandHost {
public:
    RunHost(LoopSite& site, Errand errand) : site_(site), errand_(errand) {}

    Task<http::Handled> admit() override {
        const bool isFragment = errand_.place != nullptr;
        auto permit = co_await site_.services_.admission.enter(
            isFragment ? gateway::Share::fragment : gateway::Share::client,
            io::parseHost(errand_.request.endpoints->remoteAddress), errand_.policy.islandGroups());
        if (!permit) co_return http::failWith(503, std::string(describe(permit.error())));
        if (isFragment) {
            errand_.place->hold(std::move(*permit));
        } else {
            permit_ = std::move(*permit);
        }
        co_return http::Handled{};
    }

    /// What answers may be an island, which needs the permit that this one holds.
    Task<http::Handled> follow(http::Request&, std::string_view location) override {
        if (errand_.place != nullptr) errand_.place->stepAside();
        permit_ = {};
        return site_.redirected(errand_, location);
    }

private:
    LoopSite& site_;
    Errand errand_;
    coro::Permit permit_;
};

/// The sink of an errand, behind a compressor when it goes to a client and the site's rules allow
/// it.
class LoopSite::MaybeCompressed {
public:
    MaybeCompressed(Errand errand, LoopServices& services) : plain_(errand.sink) {
        // Without that field the answer is as it is, and costs no filter. A shared cache that keeps
        // it gives it to others uncompressed, which is right for all.
        if (errand.policy.compress && errand.place == nullptr &&
            errand.request.fields.contains("Accept-Encoding"))
            smaller_.emplace(errand.request, errand.sink, services.compressors);
    }

    http::ResponseSink& sink() noexcept {
        return smaller_ ? static_cast<http::ResponseSink&>(*smaller_) : plain_;
    }

private:
    http::ResponseSink& plain_;
    std::optional<http::CompressingSink> smaller_;
};

LoopIslands::LoopIslands(LoopServices& services, const IslandLimits& limits)
    : cgi(services.loop, services.keeper) {
    cgi.spoolDirectory = limits.spool;
    cgi.timeout = limits.timeout;
    cgi.warm = &services.warm;
}

LoopSite::LoopSite(const Site& site, LoopServices& services, LoopIslands& islands)
    : site_(site), services_(services), islands_(islands) {
    usual_.take(site.settings().conduct, Captures());
    for (const Site::Documents& documents : site.documents())
        roots_.emplace_back(services, documents);
}

Task<http::Handled> LoopSite::handle(http::Request& request, http::ResponseSink& sink) {
    for (int rewrites = 0; rewrites <= kMaxRewrites; ++rewrites) {
        const auto policy = policyFor(site_.settings().conduct, site_.settings().routes, request);
        if (!policy) co_return std::unexpected(policy.error());
        if (policy->guards()) {
            auto refused = co_await refusal(*policy, request, services_);
            if (refused) co_return std::unexpected(std::move(*refused));
        }
        if (policy->decision == nullptr) {
            if (!policy->cacheControl.empty())
                request.answerFields.setDefault("Cache-Control", policy->cacheControl);
            co_return co_await dispatch(Errand(request, sink, *policy, nullptr));
        }
        if (!policy->decision->rewrite) co_return co_await answerDecision(request, sink, *policy);
        if (const auto fault = rewrite(request, *policy)) co_return http::failWith(500, *fault);
    }
    co_return http::failWith(500, text::concat("more than ", kMaxRewrites, " rewrites in a row"));
}

Task<http::Handled> LoopSite::dispatch(Errand errand) {
    if (const auto* const islands = site_.islandsFor(errand.request.path))
        return serveIsland(errand, *islands);
    return errand.policy.tryFiles.empty() ? serveDocument(errand) : serveFirst(errand);
}

Task<http::Handled> LoopSite::serveIsland(Errand errand, const gateway::IslandDirectory& islands) {
    auto island = islands.find(errand.request.path);
    if (!island) co_return http::failWith(island.error().status, island.error().detail);
    island->warm = errand.policy.warm;
    co_return co_await runComposed(errand, *island);
}

Task<http::Handled> LoopSite::runComposed(Errand errand, const gateway::Island& island) {
    http::Request& request = errand.request;
    gateway::ScriptTarget target;
    target.scriptName = island.scriptName;
    target.pathInfo = island.pathInfo;
    target.scriptFile = island.file;
    target.documentRoot = site_.settings().documents;
    target.serverName = request.endpoints->localAddress;
    RunHost host(*this, errand);
    MaybeCompressed out(errand, services_);
    if (!errand.policy.ssi)
        co_return co_await gateway::runIsland(islands_.cgi, island, target, request, out.sink(),
                                              host);
    compose::Composer composer(*this, request, out.sink(), errand.place, compose::Compose::html);
    co_return co_await gateway::runIsland(islands_.cgi, island, target, request, composer, host);
}

LoopSite::Root* LoopSite::rootFor(std::string_view path) noexcept {
    for (Root& root : roots_)
        if (path.starts_with(root.mount.prefix)) return &root;
    return nullptr;
}

Task<http::Handled> LoopSite::serveDocument(Errand errand) {
    auto [request, sink, policy, place] = errand;
    const bool mayWelcome = request.path == "/" && place == nullptr;
    Root* const root = rootFor(request.path);
    if (root == nullptr) {
        if (mayWelcome) co_return co_await sendWelcome(request, sink);
        co_return http::failWith(404, "the site has no www/ directory");
    }
    auto found = root->cache.find(root->below(request.path));
    if (!found) {
        const bool noIndex = found.error() == files::Absence::noIndex;
        if (noIndex && policy.listing) co_return co_await serveListing(errand, *root);
        if (noIndex && mayWelcome) co_return co_await sendWelcome(request, sink);
        co_return co_await files::answerAbsence(request, sink, found.error());
    }
    if (policy.ssi && isPage(found->name()))
        co_return co_await servePage(errand, std::move(*found));
    files::FileOptions options;
    options.compress = policy.compress && place == nullptr;
    options.mediaTypes = site_.settings().mediaTypes;
    co_return co_await files::sendDocument(request, sink, std::move(*found), options);
}

Task<http::Handled> LoopSite::serveListing(Errand errand, Root& root) {
    const auto below = root.below(errand.request.path);
    MaybeCompressed out(errand, services_);
    co_return co_await files::sendListing(errand.request, out.sink(), root.mount.root, below);
}

bool LoopSite::leadsToDocument(std::string_view path) {
    Root* const root = rootFor(path);
    return root != nullptr && root->cache.find(root->below(path)).has_value();
}

/// `try`: the first of the paths that leads to a document, else the last, whatever answers it.
Task<http::Handled> LoopSite::serveFirst(Errand errand) {
    const auto paths = errand.policy.tryFiles;
    for (std::size_t i = 0; i != paths.size(); ++i) {
        // In the arena: a decoded path may be a part of it.
        const std::string_view path =
            errand.request.arena->copy(paths[i].fill(errand.request, errand.policy.captures));
        const bool last = i + 1 == paths.size();
        const auto clean = http::decodePath(path.substr(0, path.find('?')), *errand.request.arena);
        if (!last && (!clean || !leadsToDocument(*clean))) continue;
        if (const auto fault = aimKeepingQuery(errand.request, path))
            co_return http::failWith(500, *fault);
        break;
    }
    if (const auto* const islands = site_.islandsFor(errand.request.path))
        co_return co_await serveIsland(errand, *islands);
    co_return co_await serveDocument(errand);
}

Task<http::Handled> LoopSite::servePage(Errand errand, files::Document page) {
    auto [request, sink, policy, place] = errand;
    if (request.method != http::Method::get && request.method != http::Method::head)
        co_return std::unexpected(
            http::Failure(405, "pages answer GET and HEAD").with("Allow", "GET, HEAD"));
    const std::string_view name = page.name();
    request.document = request.arena->copy(name.substr(name.rfind('/') + 1));
    MaybeCompressed out(errand, services_);
    compose::Composer composer(*this, request, out.sink(), place, compose::Compose::all);
    http::ResponseHead head(*request.arena);
    head.fields.add("Content-Type", "text/html; charset=utf-8");
    const http::DateText modified(
        page.modified().tv_sec); // for LAST_MODIFIED; the composer keeps it
    head.fields.add("Last-Modified", modified.view());
    co_return co_await files::sendContent(request, composer, head, page);
}

Task<http::Handled> LoopSite::redirected(Errand errand, std::string_view location) {
    const http::Request& request = errand.request;
    if (request.lineage.redirects >= kMaxRedirects)
        co_return http::failWith(
            500, text::concat("more than ", kMaxRedirects, " local redirects in a row"));
    DerivedRequest next(request);
    if (const auto fault = next.aimAt(location)) co_return http::failWith(502, *fault);
    next.request().lineage = request.lineage;
    ++next.request().lineage.redirects;
    if (request.method == http::Method::head) next.useHead();
    co_return co_await dispatch(Errand(next.request(), errand.sink, errand.policy, errand.place));
}

Task<bool> LoopSite::explain(http::Request& request, const http::Failure& failure,
                             http::ResponseSink& sink) {
    const auto page = site_.settings().errorDocuments.find(failure.status);
    if (page == site_.settings().errorDocuments.end()) co_return false;
    DerivedRequest derived(request);
    if (derived.aimAt(page->second)) co_return false; // the reader of the configuration has looked
    derived.request().lineage.redirects = request.lineage.redirects + 1;
    if (request.method == http::Method::head) derived.useHead();
    const auto policy =
        policyFor(site_.settings().conduct, site_.settings().routes, derived.request());
    if (!policy) co_return false;
    StatusSink failed(sink, failure);
    const auto shown = co_await dispatch(Errand(derived.request(), failed, *policy, nullptr));
    if (!shown && !sink.begun())
        log::warning("site", text::concat("the page for status ", failure.status, ", ",
                                          page->second, ", failed: ", shown.error().detail));
    co_return sink.begun();
}

Task<http::Handled> LoopSite::fragment(const compose::FragmentSpec& spec, compose::Place& place) {
    DerivedRequest derived(*spec.page);
    http::Request& request = derived.request();
    request.target = spec.target;
    request.rawPath = spec.rawPath;
    request.path = spec.path;
    request.query = spec.query;
    request.hasQuery = spec.hasQuery;
    request.lineage = spec.lineage();
    if (site_.settings().routes.empty())
        co_return co_await answerFragment(spec, {request, place, usual_, &place});
    auto policy = policyFor(site_.settings().conduct, site_.settings().routes, request);
    for (int rewrites = 0; policy && policy->decision != nullptr; ++rewrites) {
        if (!policy->decision->rewrite || rewrites == kMaxRewrites) break;
        if (const auto fault = rewrite(request, *policy)) co_return http::failWith(500, *fault);
        policy = policyFor(site_.settings().conduct, site_.settings().routes, request);
    }
    if (!policy) co_return std::unexpected(policy.error());
    if (policy->decision != nullptr)
        co_return http::failWith(policy->decision->respond.value_or(502),
                                 "a route redirects what the page includes");
    co_return co_await answerFragment(spec, {request, place, *policy, &place});
}

Task<http::Handled> LoopSite::answerFragment(const compose::FragmentSpec& spec, Errand errand) {
    if (spec.kind == compose::FragmentKind::virtualPath) return dispatch(errand);
    if (site_.islandsFor(errand.request.path) != nullptr) return refuseFile();
    return serveDocument(errand);
}

Task<http::Handled> LoopSite::refuseFile() {
    co_return http::failWith(403, "`file` names an island; `virtual` runs it");
}

std::optional<std::string> LoopSite::variable(const http::Request&, std::string_view name) {
    if (name == "DOCUMENT_ROOT") return site_.settings().documents;
    if (name == "SERVER_SOFTWARE") return "Atoll";
    return std::nullopt;
}

void LoopSite::problem(const http::Request& page, std::size_t line, std::string_view what) {
    log::warning(page.path, text::concat("line ", line, ": ", what, " (request ", page.id, ")"));
}

} // namespace reef::site
