#include "site/loop_site.h"

#include "base/log.h"
#include "base/text.h"
#include "compose/composer.h"
#include "files/file_response.h"
#include "files/listing.h"
#include "http/conditional_sink.h"
#include "http/date.h"
#include "http/other_methods.h"
#include "http/path.h"
#include "site/decision.h"
#include "site/derived_request.h"
#include "site/entrance.h"
#include "site/fragment_variables.h"
#include "site/maybe_compressed.h"
#include "site/status_sink.h"
#include "site/traced_sink.h"
#include "site/welcome.h"

namespace reef::site {

namespace {

constexpr int kMaxRewrites = 10;

compose::PageRules rulesOf(const Policy& policy, compose::Compose which) noexcept {
    compose::PageRules rules(which);
    rules.dialect = policy.ssiDialect;
    return rules;
}

bool mayLeadToScript(const Policy& policy, std::string_view path) {
    return policy.interpreters != nullptr && policy.interpreters->mayLead(path);
}

} // namespace

/// The way out of an answer that may be composed: for a client, by the filters that it needs; into
/// a place of a page as it is.
class LoopSite::PageOutlet {
public:
    PageOutlet(Errand errand, LoopServices& services)
        : compressed_(errand.request, errand.sink, errand.mayCompress(), services),
          sink_(&compressed_.sink()) {
        if (errand.place != nullptr) return;
        if (errand.policy.ssi) traced_.emplace(services.traces, errand.request);
        if (traced_ && traced_->record() != nullptr) {
            sink_ = &noted_.emplace(errand.request, *sink_, *traced_->record(),
                                    errand.policy.serverTiming);
        }
        if (http::ConditionalSink::concerns(errand.request))
            sink_ = &conditional_.emplace(errand.request, *sink_);
    }

    http::ResponseSink& sink() noexcept { return *sink_; }
    compose::PageTrace* trace() noexcept { return traced_ ? traced_->trace() : nullptr; }

private:
    MaybeCompressed compressed_;
    std::optional<TracedPage> traced_;
    std::optional<TracedSink> noted_;
    std::optional<http::ConditionalSink> conditional_;
    http::ResponseSink* sink_;
};

/// What the run of an island asks, for one errand.
class LoopSite::RunHost final : public gateway::IslandHost {
public:
    RunHost(LoopSite& site, Errand errand)
        : site_(site), errand_(errand), rules_(site.islands_.rules) {
        for (const gateway::IslandRules* const rules : errand.policy.islandRules())
            rules_.override(*rules);
    }

    const gateway::IslandRules& rules() const noexcept override { return rules_; }

    Task<http::Handled> admit() override {
        const bool isFragment = errand_.place != nullptr;
        auto permit = co_await site_.services_.admission.enter(
            isFragment ? gateway::Share::fragment : gateway::Share::client,
            io::parseHost(address()), errand_.policy.islandGroups());
        if (!permit) co_return http::failWith(503, std::string(describe(permit.error())));
        if (isFragment) {
            if (auto* const trace = errand_.place->trace())
                trace->admitted = std::chrono::steady_clock::now();
            errand_.place->hold(std::move(*permit));
        } else {
            permit_ = std::move(*permit);
        }
        co_return http::Handled{};
    }

    void said(std::span<const std::string> lines) override {
        auto* const trace = errand_.place == nullptr ? nullptr : errand_.place->trace();
        if (trace != nullptr && !lines.empty()) trace->lastError = lines.back();
    }

private:
    std::string_view address() const noexcept {
        const http::Request& request = errand_.request;
        return request.sharedRun != 0 ? request.admittedAs : request.endpoints->remoteAddress;
    }

    LoopSite& site_;
    Errand errand_;
    gateway::IslandRules rules_;
    coro::Permit permit_;
};

LoopIslands::LoopIslands(LoopServices& services, const IslandLimits& limits)
    : cgi(services.loop, services.keeper, services.numbers, services.endings), rules(limits.rules) {
    cgi.spoolDirectory = limits.spool;
    cgi.warm = &services.warm;
    cgi.forOthers = limits.foreignUsers;
}

LoopSite::LoopSite(const Site& site, LoopServices& services, LoopIslands& islands)
    : site_(site), services_(services), islands_(islands) {
    usual_.take(site.settings().conduct, Captures());
    for (const Site::Documents& documents : site.documents())
        roots_.emplace_back(services, documents);
}

Task<http::Handled> LoopSite::handle(http::Request& request, http::ResponseSink& sink) {
    if (http::isSafe(request.method) || !services_.cache.shared().enabled())
        return answer(request, sink, Asker::client);
    return answerChange(request, sink);
}

Task<http::Handled> LoopSite::answer(http::Request& request, http::ResponseSink& sink,
                                     Asker asker) {
    for (int rewrites = 0; rewrites <= kMaxRewrites; ++rewrites) {
        const auto policy = policyFor(site_.settings().conduct, site_.settings().routes, request);
        if (!policy) co_return std::unexpected(policy.error());
        // A route that rewrites may lead where clients cannot go.
        if (policy->internal && asker != Asker::inner && rewrites == 0)
            co_return http::failWith(404, "a route keeps this path for the site itself");
        if (policy->guards() && asker != Asker::inner) {
            if (request.sharedRun != 0) co_return co_await withdrawn(request);
            const auto counting = asker == Asker::client ? Counting::counted : Counting::again;
            auto refused = co_await refusal(*policy, request, services_, counting);
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
    auto island = islands.find(errand.request.path, errand.policy.interpreters);
    if (!island) co_return http::failWith(island.error().status, island.error().detail);
    island->warm = errand.policy.warm;
    co_return co_await runComposed(errand, *island);
}

std::unique_ptr<gateway::IslandHost> LoopSite::hostOf(Errand errand) {
    return std::make_unique<RunHost>(*this, errand);
}

Task<http::Handled> LoopSite::runComposed(Errand errand, const gateway::Island& island) {
    return mayBeKept(errand) ? answerFromCache(errand) : runAnew(errand, island);
}

/// What the site gives in place of an answer comes when the run is over and its permit is back: a
/// chain of islands needs one permit at a time, and cannot wait for itself.
Task<http::Handled> LoopSite::runAnew(Errand errand, const gateway::Island& island) {
    const auto result = co_await runAdmitted(errand, island);
    if (!result) co_return std::unexpected(result.error());
    if (!*result) co_return http::Handled{};
    co_return co_await handOver(errand, **result);
}

Task<gateway::IslandResult> LoopSite::runAdmitted(Errand errand, const gateway::Island& island) {
    http::Request& request = errand.request;
    gateway::ScriptTarget target = targetOf(request);
    target.scriptName = island.scriptName;
    target.pathInfo = island.pathInfo;
    target.scriptFile = island.file;
    const auto translated =
        island.pathInfo.empty() ? std::string() : site_.translate(island.pathInfo);
    target.pathTranslated = translated;
    target.interpreted = !island.interpreter.empty();
    target.passAuthorization = errand.policy.passAuthorization;
    target.queryArguments = errand.policy.queryArguments;
    FragmentVariables variables;
    if (errand.place != nullptr) variables = fragmentVariables(errand.place->spec());
    target.variables = variables;
    RunHost host(*this, errand);
    PageOutlet out(errand, services_);
    if (!errand.policy.ssi)
        co_return co_await gateway::runIsland(islands_.cgi, island, target, request, out.sink(),
                                              host);
    request.byIsland = true;
    compose::PageRules rules = rulesOf(errand.policy, compose::Compose::html);
    rules.trace = out.trace();
    compose::Composer composer(*this, request, out.sink(), errand.place, rules);
    http::DecodingSink decoded(request, composer, http::DecodingSink::Of::pages);
    auto result = co_await gateway::runIsland(islands_.cgi, island, target, request, decoded, host);
    if (auto fault = faultOf(decoded, request)) co_return std::unexpected(std::move(*fault));
    co_return result;
}

LoopSite::Root* LoopSite::rootFor(std::string_view path) noexcept {
    for (Root& root : roots_)
        if (path.starts_with(root.mount.prefix)) return &root;
    return nullptr;
}

/// "/pictures" where a directory answers "/pictures/*".
bool LoopSite::isMount(std::string_view path) const noexcept {
    return std::ranges::any_of(roots_, [path](const Root& root) {
        const std::string_view prefix = root.mount.prefix;
        return prefix.size() == path.size() + 1 && prefix.starts_with(path) && path != "/";
    });
}

Task<http::Handled> LoopSite::serveDocument(Errand errand) {
    auto [request, sink, policy, place] = errand;
    const bool mayWelcome = request.path == "/" && place == nullptr;
    Root* const root = rootFor(request.path);
    if (isMount(request.path))
        co_return co_await files::answerAbsence(request, sink, files::Absence::addSlash);
    if (root == nullptr) {
        if (mayWelcome) co_return co_await sendWelcome(request, sink);
        co_return http::failWith(404, "the site has no www/ directory");
    }
    if (mayLeadToScript(errand.policy, request.path)) {
        const auto script = root->mount.scripts.find(request.path, policy.interpreters);
        if (script || script.error().status != 404) co_return co_await serveScript(errand, script);
    }
    auto found = root->cache.find(root->below(request.path));
    if (!found) {
        const bool noIndex = found.error() == files::Absence::noIndex;
        if (noIndex && policy.listing) co_return co_await serveListing(errand, *root);
        if (noIndex && mayWelcome) co_return co_await sendWelcome(request, sink);
        co_return co_await files::answerAbsence(request, sink, found.error());
    }
    if (isSource(*root, *found)) co_return co_await serveSource(errand, root->mount, found->name());
    const auto kind = kindOf(policy, *root, *found);
    if (kind != PageKind::none) co_return co_await servePage(errand, std::move(*found), kind);
    files::FileOptions options;
    options.compress = errand.mayCompress();
    options.mediaTypes = site_.settings().mediaTypes;
    co_return co_await files::sendDocument(request, sink, std::move(*found), options);
}

Task<http::Handled> LoopSite::serveListing(Errand errand, Root& root) {
    const auto below = root.below(errand.request.path);
    MaybeCompressed out(errand.request, errand.sink, errand.mayCompress(), services_);
    co_return co_await files::sendListing(errand.request, out.sink(), root.mount.root, below);
}

bool LoopSite::leadsToDocument(std::string_view path, const Policy& policy) {
    Root* const root = rootFor(path);
    if (root == nullptr) return false;
    return root->cache.find(root->below(path)).has_value() ||
           (mayLeadToScript(policy, path) &&
            root->mount.scripts.find(path, policy.interpreters).has_value());
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
        if (!last && (!clean || !leadsToDocument(*clean, errand.policy))) continue;
        if (const auto fault = aimKeepingQuery(errand.request, path))
            co_return http::failWith(500, *fault);
        break;
    }
    if (const auto* const islands = site_.islandsFor(errand.request.path))
        co_return co_await serveIsland(errand, *islands);
    co_return co_await serveDocument(errand);
}

Task<http::Handled> LoopSite::servePage(Errand errand, files::Document page, PageKind kind) {
    auto [request, sink, policy, place] = errand;
    if (!http::isReading(request.method))
        co_return co_await http::answerOtherMethod(request, sink, http::kReadingMethods);
    if (mayBeKept(errand)) co_return co_await answerFromCache(errand);
    const std::string_view name = page.name();
    request.document = request.arena->copy(name.substr(name.rfind('/') + 1));
    PageOutlet out(errand, services_);
    compose::PageRules rules = rulesOf(policy, compose::Compose::all);
    rules.exec = policy.ssiExec; // in files alone: what an island prints may be anybody's text
    rules.keepsLastModified = kind == PageKind::dated;
    rules.trace = out.trace();
    compose::Composer composer(*this, request, out.sink(), place, rules);
    http::ResponseHead head(*request.arena);
    head.fields.add("Content-Type", "text/html; charset=utf-8");
    const http::DateText modified(
        page.modified().tv_sec); // for LAST_MODIFIED; the composer keeps it
    head.fields.add("Last-Modified", modified.view());
    co_return co_await files::sendContent(request, composer, head, page);
}

Task<bool> LoopSite::explain(http::Request& request, const http::Failure& failure,
                             http::ResponseSink& sink) {
    const auto page = site_.settings().errorDocuments.find(failure.status);
    if (page == site_.settings().errorDocuments.end()) co_return false;
    DerivedRequest derived(request, DerivedRequest::Purpose::page);
    if (derived.aimAt(page->second)) co_return false; // the reader of the configuration has looked
    derived.request().lineage.redirects = request.lineage.redirects + 1;
    const auto policy =
        policyFor(site_.settings().conduct, site_.settings().routes, derived.request());
    if (!policy) co_return false;
    StatusSink failed(sink, failure);
    const auto shown = co_await dispatch(Errand(derived.request(), failed, *policy, nullptr));
    if (!shown && !sink.begun() && site_.isNews(failure.status)) {
        const auto& [status, detail] = std::pair(shown.error().status, shown.error().detail);
        const auto why = !detail.empty() ? detail
                         : status == 404 ? std::string("not found")
                                         : text::concat("status ", status);
        log::warning("site", text::concat("the page for status ", failure.status, ", ",
                                          page->second, ", failed: ", why,
                                          " (said once; the server's own page stands in for it)"));
    }
    co_return sink.begun();
}

} // namespace reef::site
