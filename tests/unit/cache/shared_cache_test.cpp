#include "cache/fakes.h"
#include "coro/yield.h"

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <deque>
#include <thread>

using namespace reef;
using namespace reef::test;

namespace {

/// A thread with a loop of its own, whose askers ask for the same few answers all the time.
class LoopThread {
public:
    explicit LoopThread(cache::SharedCache& shared) : shared_(shared) {
        thread_ = std::thread([this] { work(); });
    }
    void join() { thread_.join(); }

    std::atomic<int> answered = 0;
    std::atomic<int> wrong = 0;
    std::atomic<int> runs = 0;

private:
    void work() {
        Turns turns;
        FakeLoop loop;
        FakeSource source;
        source.rules.ttl = 1ms;
        source.rules.stale = 1ms;
        source.make = [](http::ResponseSink& sink, Arena& arena) { return make(sink, arena); };
        cache::ResponseCache cache(shared_, loop);
        for (int round = 0; round != 300; ++round) {
            loop.time = std::chrono::steady_clock::now();
            std::deque<FakeAsker> askers;
            coro::Scope scope;
            for (int i = 0; i != 4; ++i) {
                FakeAsker& asker =
                    askers.emplace_back(source, "/" + std::to_string((round + i) % 3));
                scope.start(ask(cache, asker));
            }
            if (round % 17 == 0) shared_.purge(cache::Purge::exactly("/1"));
            for (int turn = 0; turn != 2000 && !all(askers); ++turn) {
                turns.run();
                if (!loop.runPosted()) std::this_thread::yield();
                if (round % 5 == 4 && turn == 1) break; // all leave in the middle
            }
            scope.dropAll();
            for (const FakeAsker& asker : askers)
                count(asker);
        }
        runs = source.runs;
    }

    static bool all(const std::deque<FakeAsker>& askers) {
        return std::ranges::all_of(askers, [](const FakeAsker& each) { return each.ended(); });
    }
    void count(const FakeAsker& asker) {
        if (!asker.ended()) return;
        ++answered;
        const bool right = asker.sink.content == "one two three" || asker.sink.content == "own";
        // A run of another loop may have been dropped.
        if (*asker.handled && !right) ++wrong;
    }
    static Task<void> ask(cache::ResponseCache& cache, FakeAsker& asker) {
        asker.handled = co_await cache.answer(asker, asker.sink);
    }
    static Task<http::Handled> make(http::ResponseSink& sink, Arena& arena) {
        http::ResponseHead head(arena);
        auto sent = co_await sink.begin(head);
        for (const char* const word : {"one ", "two ", "three"}) {
            co_await coro::Yield();
            if (sent) sent = co_await http::writePiece(sink, bytesOf(std::string_view(word)));
        }
        if (sent) sent = co_await sink.end();
        if (!sent) co_return http::failClient(sent.error());
        co_return http::Handled{};
    }

    cache::SharedCache& shared_;
    std::thread thread_;
};

} // namespace

TEST_CASE("loops share runs, and what those leave, on threads of their own") {
    cache::SharedCache shared(cache::Limits{64_KiB, 1000});
    std::deque<LoopThread> threads;
    for (int i = 0; i != 4; ++i)
        threads.emplace_back(shared);
    int answered = 0;
    for (LoopThread& each : threads) {
        each.join();
        answered += each.answered;
        CHECK(each.wrong == 0);
        CHECK(each.runs > 0);
    }
    CHECK(answered > 1000);
    const auto counts = shared.counts();
    CHECK(counts.hits + counts.stale + counts.misses + counts.coalesced > 1000);
    CHECK(counts.stored > 0);
    CHECK(counts.bytes <= 64_KiB);
}
