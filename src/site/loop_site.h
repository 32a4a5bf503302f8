#pragma once

#include "compose/host.h"
#include "coro/semaphore.h"
#include "files/file_cache.h"
#include "gateway/cgi.h"
#include "http/handler.h"
#include "site/site.h"

#include <memory>

namespace reef::site {

/// A site on one loop: decides what answers a request (an island, a composed page, a file), for
/// clients and for the fragments of pages alike.
///
/// Two limits of running islands, one for those that clients ask for and one for fragments: a page
/// made by an island waits for its fragments, and must not hold the permit that they need.
class LoopSite final : public http::Handler, private compose::Host {
public:
    LoopSite(std::shared_ptr<const Site> site, io::Loop& loop, process::KeeperClient& keeper);

    Task<http::Handled> handle(http::Request& request, http::ResponseSink& sink) override;

private:
    class Redirector;

    /// `place` is where a fragment's answer goes, null for a client's.
    Task<http::Handled> dispatch(http::Request& request, http::ResponseSink& sink,
                                 compose::Place* place);
    Task<http::Handled> serveIsland(http::Request& request, http::ResponseSink& sink,
                                    compose::Place* place);
    Task<http::Handled> runComposed(const gateway::Island& island, http::Request& request,
                                    http::ResponseSink& sink, compose::Place* place);
    Task<http::Handled> serveDocument(http::Request& request, http::ResponseSink& sink,
                                      compose::Place* place);
    Task<http::Handled> servePage(http::Request& request, http::ResponseSink& sink,
                                  compose::Place* place, files::Document page);
    Task<http::Handled> redirected(http::Request& request, std::string_view location,
                                   http::ResponseSink& sink, compose::Place* place);

    // compose::Host
    Task<http::Handled> fragment(const compose::FragmentSpec& spec, compose::Place& place) override;
    std::optional<std::string> variable(const http::Request& page, std::string_view name) override;
    void problem(const http::Request& page, std::size_t line, std::string_view what) override;

    std::shared_ptr<const Site> site_;
    std::optional<files::FileCache> documents_; ///< nothing: the site has none
    gateway::CgiServices cgi_;
    coro::Semaphore clientIslands_;
    coro::Semaphore fragmentIslands_;
};

} // namespace reef::site
