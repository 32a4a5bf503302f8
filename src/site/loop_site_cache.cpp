// What the site asks of the cache of answers, and what the cache asks of the site.
// clang-format off: the header that this is a part of comes first
#include "site/loop_site.h"
// clang-format on

#include "base/text.h"
#include "cache/key.h"
#include "compose/composer.h"
#include "compose/place.h"
#include "http/conditional_sink.h"
#include "http/other_methods.h"
#include "http/range_sink.h"
#include "site/maybe_compressed.h"
#include "site/watching_sink.h"

#include <algorithm>

namespace reef::site {

namespace {

/// Where an include alone says that its answer is kept.
const cache::Rules kNoRules;

const cache::Rules& rulesOf(const Policy& policy) noexcept {
    return policy.responseCache != nullptr ? *policy.responseCache : kNoRules;
}

std::optional<cache::Keeping> keepingOf(const compose::Place* place) {
    if (place == nullptr || !place->spec().keeping) return std::nullopt;
    return cache::Keeping{place->spec().keeping->ttl, place->spec().keeping->stale};
}

compose::FragmentSource sourceOf(cache::Origin origin) noexcept {
    using compose::FragmentSource;
    switch (origin) {
    case cache::Origin::shared:
        return FragmentSource::shared;
    case cache::Origin::kept:
        return FragmentSource::cached;
    case cache::Origin::stale:
        return FragmentSource::stale;
    case cache::Origin::made:
        break;
    }
    return FragmentSource::made;
}

/// Whether the request says who makes it, in a way that the key does not hold.
bool isSomebodys(const http::Request& request, const cache::Rules& rules) {
    if (request.remoteUser.empty() && !request.fields.contains("Authorization")) return false;
    return std::ranges::find(rules.headers, "authorization") == rules.headers.end();
}

} // namespace

/// A run for several askers: a request of its own, which has nothing of the first one's but what is
/// in the key, and where it is a part of a page, a place of its own in no page at all. It keeps the
/// site's snapshot as long as it is at work.
class LoopSite::CacheRun final : public cache::SharedRun, private compose::PlaceOwner {
public:
    CacheRun(LoopSite& site, const Errand& errand, const cache::FlightPlan& plan,
             std::uint64_t number)
        : home_(site.home_.lock()), site_(site), policy_(errand.policy.settled()),
          keeping_(keepingOf(errand.place)),
          context_(errand.place != nullptr ? errand.place->context().fragmentsLeft
                                           : compose::Limits().fragments,
                   nullptr),
          request_(memory_, noContent_, ends_) {
        policy_.asked = true;
        policy_.serverTiming = false; // it would tell of this run for ever
        const http::Request& origin = errand.request;
        takeEnds(*origin.endpoints);
        take(origin, number);
        for (const auto& [name, value] : plan.carried)
            request_.fields.set(memory_.copy(name), memory_.copy(value));
        if (errand.place == nullptr) return;
        compose::PlaceOwner& owner = *this;
        place_.emplace(owner, inclusionOf(*errand.place), 1U, 1U, held_);
    }

    Task<http::Handled> make(http::ResponseSink& sink) override {
        co_return co_await site_.dispatch(
            Errand(request_, sink, policy_, place_ ? &*place_ : nullptr));
    }
    void stepAside() noexcept override {
        if (place_) place_->stepAside();
    }
    const cache::Rules& rules() const noexcept override { return rulesOf(policy_); }
    const std::optional<cache::Keeping>& keeping() const noexcept override { return keeping_; }

private:
    /// To its program the server itself seems to be the client.
    void takeEnds(const http::Endpoints& origin) {
        ends_.localAddress = memory_.copy(origin.localAddress);
        ends_.localPort = origin.localPort;
        ends_.remoteAddress = ends_.localAddress;
        ends_.secure = origin.secure;
    }

    void take(const http::Request& origin, std::uint64_t number) {
        request_.target = memory_.copy(origin.target);
        request_.rawPath = memory_.copy(origin.rawPath);
        request_.path = memory_.copy(origin.path);
        request_.query = memory_.copy(origin.query);
        request_.hasQuery = origin.hasQuery;
        request_.host = memory_.copy(origin.host);
        request_.authority = memory_.copy(origin.authority);
        request_.remoteUser = memory_.copy(origin.remoteUser);
        request_.id = memory_.copy(text::concat(origin.id, "-shared"));
        request_.began = std::chrono::steady_clock::now();
        request_.lineage.depth = origin.lineage.depth; // includes do not go on for ever
        request_.lineage.redirects = origin.lineage.redirects;
        request_.sharedRun = number;
        request_.admittedAs = memory_.copy(origin.sharedRun != 0 ? origin.admittedAs
                                                                 : origin.endpoints->remoteAddress);
        if (!request_.authority.empty()) request_.fields.add("Host", request_.authority);
    }

    /// The include without its page: programs learn of it what is in the key.
    compose::Inclusion inclusionOf(const compose::Place& asked) {
        const compose::FragmentSpec& origin = asked.spec();
        compose::FragmentSpec spec(origin.kind, request_);
        spec.target = memory_.copy(origin.target);
        spec.rawPath = memory_.copy(origin.rawPath);
        spec.path = memory_.copy(origin.path);
        spec.query = memory_.copy(origin.query);
        spec.hasQuery = origin.hasQuery;
        spec.line = origin.line;
        spec.fields = origin.fields;
        spec.variables = origin.variables;
        spec.foreign = origin.foreign;
        request_.byIsland = origin.page->byIsland; // what guards its parts, and where it leads
        return compose::Inclusion(std::move(spec));
    }

    // PlaceOwner: nothing is written into the place, it only stands for the include.
    void placeAdvanced(compose::Place&) override {}
    void placeSettled(compose::Place&) override {}
    void placeTroubled(compose::Place&, std::string_view) override {}
    compose::Reception placeBegan(compose::Place&, const http::ResponseHead&) override {
        return compose::Reception::usual;
    }
    void placeAssigned(compose::Place&, const compose::SharedAssignments::Snapshot&) override {}
    bool isTight() const noexcept override { return false; }
    compose::PageContext& context() noexcept override { return context_; }

    std::shared_ptr<const void> home_; // what follows is in it
    LoopSite& site_;
    Policy policy_;
    std::optional<cache::Keeping> keeping_;
    compose::PageContext context_;
    Arena memory_;
    http::EmptyBody noContent_;
    http::Endpoints ends_;
    http::Request request_;
    std::size_t held_ = 0;
    std::optional<compose::Place> place_;
};

/// One errand that may be answered by what is kept. Lives in the frame that answers it.
class LoopSite::CacheAsker final : public cache::Asker {
public:
    CacheAsker(LoopSite& site, Errand errand)
        : site_(site), errand_(errand), past_(errand.policy.settled()) {
        past_.asked = true;
    }

    const http::Request& request() const noexcept override { return errand_.request; }
    std::uint64_t within() const noexcept override { return errand_.request.sharedRun; }

    cache::FlightPlan plan() const override {
        const http::Request& request = errand_.request;
        cache::FlightPlan plan;
        plan.place = {std::string(request.host), std::string(request.path),
                      cache::pathOf(request.target)};
        plan.carried = cache::chosenFields(request.fields, rulesOf(errand_.policy));
        cache::Key key;
        key.add(site_.generation_).add(errand_.place == nullptr ? "client" : "part");
        key.add(request.endpoints->secure ? "https" : "http").add(request.endpoints->localPort);
        key.add(text::toLower(request.authority)).add(request.remoteUser);
        key.add(request.target).add(request.rawPath);
        key.add(request.hasQuery ? "?" : "").add(request.query);
        if (errand_.place != nullptr) addPart(errand_.place->spec(), key, plan);
        plan.primary = key.add(plan.carried).take();
        plan.key = plan.primary;
        return plan;
    }

    std::unique_ptr<cache::SharedRun> share(const cache::FlightPlan& plan,
                                            std::uint64_t number) override {
        return std::make_unique<CacheRun>(site_, errand_, plan, number);
    }

    Task<http::Handled> own() override {
        return site_.dispatch(Errand(errand_.request, errand_.sink, past_, errand_.place));
    }

    void tell(cache::Origin origin, std::string_view cacheStatus) override {
        if (errand_.place != nullptr) {
            if (auto* const trace = errand_.place->trace()) trace->source = sourceOf(origin);
            return;
        }
        http::Request& request = errand_.request;
        request.answerFields.set("Cache-Status", request.arena->copy(cacheStatus));
    }

private:
    /// What a page tells the program of an include.
    static void addPart(const compose::FragmentSpec& spec, cache::Key& key,
                        cache::FlightPlan& plan) {
        key.add(static_cast<std::uint64_t>(spec.kind));
        key.add(spec.foreign ? "foreign" : "").add(spec.page->byIsland ? "island" : "");
        const auto keeping = spec.keeping.value_or(compose::FragmentKeeping());
        key.add(static_cast<std::uint64_t>(keeping.ttl.count()));
        key.add(static_cast<std::uint64_t>(keeping.stale.count()));
        key.add(spec.variables != nullptr ? spec.variables->entries() : cache::Fields());
        if (spec.fields == nullptr) return;
        plan.carried.insert(plan.carried.end(), spec.fields->begin(), spec.fields->end());
    }

    LoopSite& site_;
    Errand errand_;
    Policy past_;
};

bool LoopSite::mayBeKept(const Errand& errand) const {
    const Policy& policy = errand.policy;
    const auto keeping = keepingOf(errand.place);
    if (policy.asked || (policy.responseCache == nullptr && !keeping)) return false;
    if (keeping && keeping->ttl.count() == 0 && keeping->stale.count() == 0) return false;
    if (errand.request.traced && errand.place == nullptr)
        return false; // somebody asks how it is made
    return http::isReading(errand.request.method) && services_.cache.shared().enabled() &&
           !home_.expired() && !isSomebodys(errand.request, rulesOf(policy));
}

/// Conditions, ranges and codings of each client are applied to what is kept for all.
Task<http::Handled> LoopSite::answerFromCache(Errand errand) {
    CacheAsker asker(*this, errand);
    if (errand.place != nullptr) co_return co_await services_.cache.answer(asker, errand.sink);
    MaybeCompressed out(errand.request, errand.sink, errand.mayCompress(), services_);
    http::RangeSink ranges(errand.request, out.sink());
    http::ConditionalSink conditional(errand.request, ranges);
    co_return co_await services_.cache.answer(asker, conditional);
}

/// A request that may have changed what its path shows: what is kept of that goes before the client
/// knows (RFC 9111 4.4).
Task<http::Handled> LoopSite::answerChange(http::Request& request, http::ResponseSink& sink) {
    const auto changed = cache::Purge::exactly(request.path, request.host);
    cache::SharedCache& kept = services_.cache.shared();
    WatchingSink watched(sink, [&](int status) {
        if (status >= 200 && status < 400) kept.purge(changed);
    });
    co_return co_await answer(request, watched, Asker::client);
}

/// What is guarded is nothing that a run for several askers may show.
Task<http::Handled> LoopSite::withdrawn(const http::Request& request) {
    services_.cache.shared().withdraw(request.sharedRun, services_.cache.loop());
    co_return http::failWith(403, "an answer for several clients would show what is guarded");
}

} // namespace reef::site
