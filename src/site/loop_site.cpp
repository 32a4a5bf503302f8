#include "site/loop_site.h"

#include "base/log.h"
#include "base/text.h"
#include "compose/composer.h"
#include "files/file_response.h"
#include "http/path.h"
#include "site/derived_request.h"
#include "site/welcome.h"

namespace reef::site {

namespace {

constexpr int kMaxRedirects = 10;

bool isPage(std::string_view name) {
    return name.ends_with(".shtml");
}

} // namespace

/// Where local redirects of one run go: past the composer of the run, to the sink behind it.
class LoopSite::Redirector final : public gateway::LocalRedirects {
public:
    Redirector(LoopSite& site, http::ResponseSink& sink, compose::Place* place)
        : site_(site), sink_(sink), place_(place) {}

    Task<http::Handled> follow(http::Request& request, std::string_view location,
                               http::ResponseSink&) override {
        return site_.redirected(request, location, sink_, place_);
    }

private:
    LoopSite& site_;
    http::ResponseSink& sink_;
    compose::Place* place_;
};

LoopSite::LoopSite(std::shared_ptr<const Site> site, io::Loop& loop, process::KeeperClient& keeper)
    : site_(std::move(site)), cgi_(loop, keeper), clientIslands_(site_->settings().maxIslands),
      fragmentIslands_(site_->settings().maxIslands) {
    cgi_.spoolDirectory = site_->settings().spool;
    cgi_.timeout = site_->settings().islandTimeout;
    if (site_->documents()) documents_.emplace(loop, *site_->documents());
}

Task<http::Handled> LoopSite::handle(http::Request& request, http::ResponseSink& sink) {
    return dispatch(request, sink, nullptr);
}

Task<http::Handled> LoopSite::dispatch(http::Request& request, http::ResponseSink& sink,
                                       compose::Place* place) {
    const auto& islands = site_->islands();
    if (islands && islands->answers(request.path)) return serveIsland(request, sink, place);
    return serveDocument(request, sink, place);
}

Task<http::Handled> LoopSite::serveIsland(http::Request& request, http::ResponseSink& sink,
                                          compose::Place* place) {
    const auto island = site_->islands()->find(request.path);
    if (!island) co_return http::failWith(island.error().status, island.error().detail);
    coro::Semaphore::Permit permit;
    if (place != nullptr) {
        co_await place->admit(fragmentIslands_);
    } else {
        permit = co_await clientIslands_.acquire();
    }
    co_return co_await runComposed(*island, request, sink, place);
}

Task<http::Handled> LoopSite::runComposed(const gateway::Island& island, http::Request& request,
                                          http::ResponseSink& sink, compose::Place* place) {
    const SiteSettings& settings = site_->settings();
    gateway::ScriptTarget target;
    target.scriptName = island.scriptName;
    target.pathInfo = island.pathInfo;
    target.scriptFile = island.file;
    target.documentRoot = settings.documents;
    target.serverName = request.endpoints->localAddress;
    Redirector redirector(*this, sink, place);
    if (!settings.ssi)
        co_return co_await gateway::runIsland(cgi_, island, target, request, sink, redirector);
    compose::Composer composer(*this, request, sink, place, compose::Compose::html);
    co_return co_await gateway::runIsland(cgi_, island, target, request, composer, redirector);
}

Task<http::Handled> LoopSite::serveDocument(http::Request& request, http::ResponseSink& sink,
                                            compose::Place* place) {
    if (!documents_) {
        if (request.path == "/" && place == nullptr) co_return co_await sendWelcome(request, sink);
        co_return http::failWith(404, "the site has no www/ directory");
    }
    auto found = documents_->find(request.path);
    if (!found) {
        if (found.error() == files::Absence::noIndex && request.path == "/" && place == nullptr)
            co_return co_await sendWelcome(request, sink);
        co_return co_await files::answerAbsence(request, sink, found.error());
    }
    if (site_->settings().ssi && isPage(found->name()))
        co_return co_await servePage(request, sink, place, std::move(*found));
    co_return co_await files::sendDocument(request, sink, std::move(*found));
}

Task<http::Handled> LoopSite::servePage(http::Request& request, http::ResponseSink& sink,
                                        compose::Place* place, files::Document page) {
    if (request.method != http::Method::get && request.method != http::Method::head) {
        co_return std::unexpected(
            http::Failure(405, "pages answer GET and HEAD").with("Allow", "GET, HEAD"));
    }
    compose::Composer composer(*this, request, sink, place, compose::Compose::all);
    http::ResponseHead head(*request.arena);
    head.fields.add("Content-Type", "text/html; charset=utf-8");
    co_return co_await files::sendContent(request, composer, head, page);
}

Task<http::Handled> LoopSite::redirected(http::Request& request, std::string_view location,
                                         http::ResponseSink& sink, compose::Place* place) {
    if (request.lineage.redirects >= kMaxRedirects)
        co_return http::failWith(
            500, text::concat("more than ", kMaxRedirects, " local redirects in a row"));
    DerivedRequest next(request);
    if (const auto fault = next.aimAt(location)) co_return http::failWith(502, *fault);
    next.request().lineage = request.lineage;
    ++next.request().lineage.redirects;
    if (request.method == http::Method::head) next.useHead();
    co_return co_await dispatch(next.request(), sink, place);
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
    if (spec.kind == compose::FragmentKind::file) {
        const auto& islands = site_->islands();
        if (islands && islands->answers(request.path))
            co_return http::failWith(403, "`file` names an island; `virtual` runs it");
        co_return co_await serveDocument(request, place, &place);
    }
    co_return co_await dispatch(request, place, &place);
}

std::optional<std::string> LoopSite::variable(const http::Request&, std::string_view name) {
    if (name == "DOCUMENT_ROOT") return site_->settings().documents;
    if (name == "SERVER_SOFTWARE") return "Atoll";
    return std::nullopt;
}

void LoopSite::problem(const http::Request& page, std::size_t line, std::string_view what) {
    log::warning(page.path, text::concat("line ", line, ": ", what, " (request ", page.id, ")"));
}

} // namespace reef::site
