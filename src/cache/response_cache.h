#pragma once

#include "cache/flight_sink.h"
#include "coro/scope.h"
#include "http/handler.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace reef::cache {

/// Where an answer comes from.
enum class Origin : std::uint8_t {
    made,   ///< for the one who asked
    shared, ///< for another, who asked before
    kept,
    stale, ///< kept, and too old
};

/// One who asks, as the cache knows it. Lives in the frame that answers.
class Asker {
public:
    virtual ~Asker() = default;

    /// A client's own, or that of a page.
    virtual const http::Request& request() const noexcept = 0;

    /// What its key is, without what Vary tells; the fields that the rules choose are in it, and
    /// are `carried`.
    virtual FlightPlan plan() const = 0;

    /// The flight whose run asks (of a page that is made for several); 0: none.
    virtual std::uint64_t within() const noexcept = 0;

    /// A run that knows nothing of the asker but what `plan` holds, and may outlive it. Its number
    /// is what it tells to SharedCache::withdraw and flaw.
    virtual std::unique_ptr<SharedRun> share(const FlightPlan& plan, std::uint64_t number) = 0;

    /// An answer of its own, with all that its request has, past the cache.
    virtual Task<http::Handled> own() = 0;

    /// Where its answer comes from, also as the value of Cache-Status (RFC 9211). Before the answer
    /// begins.
    virtual void tell(Origin origin, std::string_view cacheStatus) = 0;
};

/// The cache on one loop. Identical requests share one run, which belongs to none of them: each
/// streams what the run has brought so far, at its own pace. Outlives its askers; its runs are
/// dropped with it.
class ResponseCache {
public:
    ResponseCache(SharedCache& shared, Executor& loop) noexcept : shared_(shared), loop_(loop) {}

    SharedCache& shared() noexcept { return shared_; }
    Executor& loop() noexcept { return loop_; }

    /// Answers GET, and HEAD out of what is kept for GET. The sink gets whole answers; conditions,
    /// ranges and codings are the business of filters behind it.
    Task<http::Handled> answer(Asker& asker, http::ResponseSink& sink);

private:
    /// How following a run has ended.
    struct Outcome {
        enum class Next : std::uint8_t { handled, own, again };
        Next next = Next::handled;
        http::Handled handled;
    };

    Task<void> fly(std::shared_ptr<Flight> flight, std::unique_ptr<SharedRun> run);
    Task<http::Handled> make(Flight& flight, SharedRun& run);
    Task<void> untilUnwanted(Flight& flight);
    Task<http::Handled> use(Asker& asker, http::ResponseSink& sink,
                            std::shared_ptr<const Entry> entry, std::string_view how);
    Task<Outcome> follow(Asker& asker, http::ResponseSink& sink, SharedCache::Found found);
    Task<http::Handled> stream(http::ResponseSink& sink, Seat& seat, http::ResponseHead head,
                               Flight::Portion portion);

    SharedCache& shared_;
    Executor& loop_;
    coro::Scope runs_;
};

} // namespace reef::cache
