#include "cache/response_cache.h"

#include "base/log.h"
#include "base/text.h"
#include "cache/key.h"
#include "coro/race.h"
#include "http/other_methods.h"

#include <algorithm>
#include <exception>

namespace reef::cache {

namespace {

/// The first time that an answer tells what it depends on, who asked for another one begins anew.
constexpr int kMaxAttempts = 4;

/// Ends the flight, however its run has ended.
class Pilot {
public:
    Pilot(SharedCache& cache, Flight& flight, Executor& loop) noexcept
        : cache_(cache), flight_(flight), loop_(loop) {}
    Pilot(const Pilot&) = delete;
    Pilot& operator=(const Pilot&) = delete;
    ~Pilot() { cache_.end(flight_, std::move(failure_), loop_); }

    void learn(http::Handled outcome) {
        if (!outcome && !outcome.error().clientGone()) failure_ = std::move(outcome.error());
    }

private:
    SharedCache& cache_;
    Flight& flight_;
    Executor& loop_;
    http::Failure failure_{503, "the run that was to make the answer was dropped"};
};

http::Handled handledAs(const Status& status) {
    if (!status) return http::failClient(status.error());
    return {};
}

std::vector<ByteView> viewsOf(const std::vector<Chunk>& chunks) {
    std::vector<ByteView> views;
    views.reserve(chunks.size());
    for (const Chunk& chunk : chunks)
        views.push_back(bytesOf(*chunk));
    return views;
}

bool hasAny(const http::Request& request, const std::vector<std::string>& names) {
    return std::ranges::any_of(
        names, [&](const std::string& name) { return request.fields.contains(name); });
}

std::int64_t wholeSeconds(Milliseconds time) {
    return std::chrono::floor<std::chrono::seconds>(time).count();
}

std::string statusOfRun(const SharedCache::Found& found, const Flight::Portion& portion) {
    return text::concat("atoll; fwd=", found.entry != nullptr ? "stale" : "uri-miss",
                        portion.kept ? "; stored" : "",
                        found.begun != nullptr ? "" : "; collapsed");
}

} // namespace

Task<http::Handled> ResponseCache::answer(Asker& asker, http::ResponseSink& sink) {
    FlightPlan plan = asker.plan();
    const std::string primary = plan.primary;
    const Fields chosen = plan.carried;
    const bool mayWait = asker.request().method == http::Method::get;
    for (int attempt = 0; attempt != kMaxAttempts; ++attempt) {
        const auto names = shared_.variesOf(primary, loop_.now());
        plan.carried = chosen;
        for (Field& field : namedFields(asker.request().fields, names))
            plan.carried.push_back(std::move(field));
        plan.key = variant(primary, names, plan.carried);
        auto found = shared_.find({plan, asker.within(), mayWait, loop_});
        using Kind = SharedCache::Found::Kind;
        if (found.begun != nullptr)
            runs_.start(fly(found.begun, asker.share(plan, found.begun->id)));
        if (found.kind == Kind::fresh)
            co_return co_await use(asker, sink, std::move(found.entry), "hit");
        if (found.kind == Kind::stale)
            co_return co_await use(asker, sink, std::move(found.entry), "hit; detail=refresh");
        if (found.kind == Kind::own) break;
        auto outcome = co_await follow(asker, sink, std::move(found));
        if (outcome.next == Outcome::Next::handled) co_return std::move(outcome.handled);
        if (outcome.next == Outcome::Next::own) break;
    }
    asker.tell(Origin::made, "atoll; fwd=bypass");
    co_return co_await asker.own();
}

// Runs

Task<void> ResponseCache::fly(std::shared_ptr<Flight> flight, std::unique_ptr<SharedRun> run) {
    Pilot pilot(shared_, *flight, loop_);
    auto first = co_await coro::race(make(*flight, *run), untilUnwanted(*flight));
    if (auto* const handled = std::get_if<0>(&first)) pilot.learn(std::move(*handled));
}

Task<http::Handled> ResponseCache::make(Flight& flight, SharedRun& run) {
    FlightSink sink(shared_, flight, run, loop_);
    std::string bug;
    try {
        auto handled = co_await run.make(sink);
        if (handled) co_return http::failWith(502, "the answer has not come to its end");
        co_return handled;
    } catch (const std::exception& error) {
        bug = error.what();
    }
    co_return http::failWith(500, text::concat("exception: ", bug));
}

Task<void> ResponseCache::untilUnwanted(Flight& flight) {
    while (shared_.isWanted(flight))
        co_await flight.run->wait();
}

// Askers

Task<http::Handled> ResponseCache::use(Asker& asker, http::ResponseSink& sink,
                                       std::shared_ptr<const Entry> entry, std::string_view how) {
    Arena& memory = *asker.request().arena;
    const auto age = entry->ageAt(loop_.now());
    const auto left = entry->lifetime.fresh - age;
    asker.tell(left.count() > 0 ? Origin::kept : Origin::stale,
               text::concat("atoll; ", how, "; ttl=", wholeSeconds(left)));
    http::ResponseHead head = entry->head->view(memory);
    head.fields.set("Age", memory.copy(std::to_string(wholeSeconds(age))));
    const ByteView content = bytesOf(entry->content);
    co_return handledAs(co_await http::sendPiece(sink, head, content));
}

Task<ResponseCache::Outcome> ResponseCache::follow(Asker& asker, http::ResponseSink& sink,
                                                   SharedCache::Found found) {
    using Next = Outcome::Next;
    auto portion = found.seat->take();
    while (portion.empty()) {
        co_await found.seat->news();
        portion = found.seat->take();
    }
    if (portion.stage == Stage::own) co_return Outcome{Next::own, {}};
    const bool isFailure =
        portion.head == nullptr || portion.head->status >= 500 || portion.stage == Stage::failed;
    if (isFailure && found.entry != nullptr && found.entry->mayStandInForError(loop_.now())) {
        found.seat.reset();
        shared_.countStandIn();
        co_return Outcome{Next::handled,
                          co_await use(asker, sink, std::move(found.entry), "hit; detail=failure")};
    }
    if (portion.head == nullptr) {
        auto failure = std::move(portion.failure)
                           .value_or(http::Failure(502, "the shared run gave no answer"));
        co_return Outcome{Next::handled, std::unexpected(std::move(failure))};
    }
    if (hasAny(asker.request(), portion.varies)) co_return Outcome{Next::again, {}};
    asker.tell(found.begun != nullptr ? Origin::made : Origin::shared, statusOfRun(found, portion));
    const auto shown = portion.head;
    auto head = shown->view(*asker.request().arena);
    if (portion.stage == Stage::complete) {
        found.seat.reset();
        const auto views = viewsOf(portion.chunks);
        co_return Outcome{Next::handled, handledAs(co_await sink.send(head, views))};
    }
    co_return Outcome{Next::handled,
                      co_await stream(sink, *found.seat, std::move(head), std::move(portion))};
}

/// As it comes. The head's views live as long as the call.
Task<http::Handled> ResponseCache::stream(http::ResponseSink& sink, Seat& seat,
                                          http::ResponseHead head, Flight::Portion portion) {
    auto sent = co_await sink.begin(head);
    if (sent && portion.chunks.empty()) sent = co_await sink.flush();
    while (sent) {
        const auto views = viewsOf(portion.chunks);
        if (!views.empty()) sent = co_await sink.write(views);
        if (!sent) break;
        if (portion.stage == Stage::complete) co_return handledAs(co_await sink.end());
        if (isOver(portion.stage)) {
            auto failure =
                std::move(portion.failure).value_or(http::Failure(502, "the shared run broke off"));
            co_return std::unexpected(std::move(failure));
        }
        portion = seat.take();
        while (portion.empty()) {
            co_await seat.news();
            portion = seat.take();
        }
    }
    co_return handledAs(sent);
}

} // namespace reef::cache
