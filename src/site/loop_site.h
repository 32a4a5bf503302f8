#pragma once

#include "compose/host.h"
#include "files/file_cache.h"
#include "gateway/cgi.h"
#include "http/decoding_sink.h"
#include "http/handler.h"
#include "site/loop_services.h"
#include "site/policy.h"
#include "site/sites.h"

#include <deque>
#include <memory>

namespace reef::site {

/// Running islands on one loop, for all its sites.
struct LoopIslands {
    LoopIslands(LoopServices& services, const IslandLimits& limits);

    gateway::CgiServices cgi;
    const gateway::IslandRules& rules; ///< where site and routes say nothing
};

/// A site on one loop: decides what answers a request (a redirect, an island, a composed page, a
/// file), for clients and for the fragments of pages alike. What only concerns who may ask, and
/// what decides by redirect, is for clients alone: a page may include what its site shows nobody.
class LoopSite final : public http::Handler, private compose::Host {
public:
    /// All outlive it.
    LoopSite(const Site& site, LoopServices& services, LoopIslands& islands);

    Task<http::Handled> handle(http::Request& request, http::ResponseSink& sink) override;
    Task<bool> explain(http::Request& request, const http::Failure& failure,
                       http::ResponseSink& sink) override;

    /// Allows answers to be kept, if the routes say so: under keys of this generation of the
    /// configuration, by runs that hold `home` (which holds this) as long as they are at work.
    void keepAnswers(std::weak_ptr<const void> home, std::uint64_t generation) {
        home_ = std::move(home);
        generation_ = generation;
    }

private:
    class RunHost;
    class PageOutlet;
    class CacheAsker;
    class CacheRun;

    /// What a document is to composition.
    enum class PageKind : std::uint8_t {
        none,
        page,
        dated, ///< a page that says when it was modified (XBitHack::full)
    };

    /// A document root of the site on this loop.
    struct Root {
        Root(LoopServices& services, const Site::Documents& documents)
            : mount(documents), cache(services.loop, documents.root, &services.compressors) {}

        /// The path in the directory.
        std::string_view below(std::string_view path) const noexcept { return mount.below(path); }

        const Site::Documents& mount;
        files::FileCache cache;
    };

    /// One answer on its way: to whom, by what rules, and into which place of a page (null for a
    /// client).
    struct Errand {
        Errand(http::Request& asked, http::ResponseSink& to, const Policy& rules,
               compose::Place* within)
            : request(asked), sink(to), policy(rules), place(within) {}
        bool mayCompress() const noexcept { return policy.compress && place == nullptr; }

        http::Request& request;
        http::ResponseSink& sink;
        const Policy& policy;
        compose::Place* place;
    };

    /// For whom an answer is: rules about who may ask hold for clients.
    enum class Asker : std::uint8_t {
        client,
        redirect, ///< a client who was sent on by an island: as one who asks, but counted once
        inner     ///< the site itself
    };

    Task<http::Handled> answer(http::Request& request, http::ResponseSink& sink, Asker asker);
    Task<http::Handled> answerChange(http::Request& request, http::ResponseSink& sink);
    bool mayBeKept(const Errand& errand) const;
    Task<http::Handled> answerFromCache(Errand errand);
    Task<http::Handled> dispatch(Errand errand);
    Task<http::Handled> serveIsland(Errand errand, const gateway::IslandDirectory& islands);
    Task<http::Handled> runComposed(Errand errand, const gateway::Island& island);
    Task<http::Handled> runAnew(Errand errand, const gateway::Island& island);
    Task<gateway::IslandResult> runAdmitted(Errand errand, const gateway::Island& island);
    Task<http::Handled> serveDocument(Errand errand);
    Task<http::Handled> serveScript(Errand errand,
                                    std::expected<gateway::Island, gateway::IslandRefusal> script);
    Task<http::Handled> serveSource(Errand errand, const Site::Documents& documents,
                                    std::string_view name);
    Task<http::Handled> serveFirst(Errand errand);
    Task<http::Handled> servePage(Errand errand, files::Document page, PageKind kind);
    Task<http::Handled> handOver(Errand errand, const gateway::Handover& handover);
    Task<http::Handled> redirected(Errand errand, std::string_view location,
                                   const http::HeaderList& fields, Asker asker);
    Task<http::Handled> sendFile(Errand errand, const gateway::Handover& handover);
    Task<http::Handled> answerWithin(http::Request& request, Errand errand);
    Task<http::Handled> serveListing(Errand errand, Root& root);
    bool leadsToDocument(std::string_view path, const Policy& policy);
    Root* rootFor(std::string_view path) noexcept;
    bool isMount(std::string_view path) const noexcept;

    std::expected<Policy, http::Failure> policyWithin(http::Request& request);
    Task<std::optional<http::Failure>> refusalOfPart(const Policy& policy, http::Request& request);
    bool isOpenTo(const compose::FragmentSpec& spec);
    bool isSource(const Root& root, const files::Document& document) const;
    Task<http::Handled> fragmentInto(http::ResponseSink& sink, const compose::FragmentSpec& spec,
                                     compose::Place& place);
    std::optional<http::Failure> faultOf(const http::DecodingSink& decoded,
                                         const http::Request& request);
    Task<http::Handled> answerFragment(const compose::FragmentSpec& spec, Errand errand);
    Task<http::Handled> runCommand(const compose::FragmentSpec& spec, Errand errand);
    Task<http::Handled> withdrawn(const http::Request& request);
    static Task<http::Handled> refuse(std::string_view why);
    static Task<http::Handled> refuseFile();
    static PageKind kindOf(const Policy& policy, const Root& root, const files::Document& document);
    std::unique_ptr<gateway::IslandHost> hostOf(Errand errand);
    gateway::ScriptTarget targetOf(const http::Request& request) const;
    std::string directoryOf(std::string_view path);
    std::string ownerOf(const http::Request& page);

    // compose::Host
    Task<http::Handled> fragment(const compose::FragmentSpec& spec, compose::Place& place) override;
    Task<http::Handled> within(std::chrono::milliseconds limit, const compose::Place& place,
                               Task<http::Handled> work) override;
    std::optional<std::string> variable(const http::Request& page, std::string_view name) override;
    std::optional<compose::FileFacts> factsOf(const compose::FragmentSpec& spec) override;
    bool mayAccess(const compose::FragmentSpec& spec) override;
    std::optional<bool> liesIn(std::string_view address, std::string_view network) override;
    void problem(const http::Request& page, std::size_t line, std::string_view what) override;

    const Site& site_;
    LoopServices& services_;
    LoopIslands& islands_;
    Policy usual_;           ///< where no route applies
    std::deque<Root> roots_; ///< longest prefix first
    std::weak_ptr<const void> home_;
    std::uint64_t generation_ = 0;
};

} // namespace reef::site
