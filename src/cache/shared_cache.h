#pragma once

#include "cache/flight.h"
#include "cache/store.h"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>

namespace reef::cache {

/// What a cache has done since the start, and what it holds.
struct Counts {
    std::uint64_t hits = 0;      ///< answered by what was fresh
    std::uint64_t stale = 0;     ///< by what was not, while it was made anew or could not be
    std::uint64_t misses = 0;    ///< began a run
    std::uint64_t coalesced = 0; ///< followed a run that another had begun
    std::uint64_t own = 0;       ///< had an answer of their own
    std::uint64_t stored = 0;
    std::uint64_t evicted = 0;
    std::uint64_t answers = 0; ///< kept now
    ByteCount bytes = 0;       ///< memory of what is kept now
};

class Seat;

/// The answers that a server keeps, and the runs at work on others: one for all its loops. Any
/// thread; the mutex is held for microseconds. Outlives the loops' parts.
class SharedCache {
public:
    explicit SharedCache(const Limits& limits) : limits_(limits), store_(limits.memory) {
        enabled_ = limits.memory != 0;
    }

    /// Other limits from now on.
    void use(const Limits& limits);
    bool enabled() const noexcept { return enabled_.load(std::memory_order_relaxed); }

    struct Ask {
        const FlightPlan& plan;
        std::uint64_t within; ///< the flight whose run asks; 0: a client
        bool mayWait;         ///< whether it may begin a run or follow one (GET)
        Executor& loop;
    };

    /// What is to be done for one who asks.
    struct Found {
        enum class Kind : std::uint8_t {
            fresh,  ///< `entry` answers
            stale,  ///< the same, and its time is over
            follow, ///< what `seat` gets; `entry`, if there is one, stands in for a failure
            own,    ///< an answer of its own
        };
        Kind kind = Kind::own;
        std::shared_ptr<const Entry> entry;
        std::unique_ptr<Seat> seat;
        std::shared_ptr<Flight> begun; ///< its run is to be started now, by the caller
    };
    Found find(const Ask& ask);

    /// The fields that answers under this key are known to depend on.
    std::vector<std::string> variesOf(std::string_view primary, TimePoint now);

    // The run, on its loop:

    /// Its head. False: it is to end.
    bool show(Flight& flight, std::shared_ptr<const Head> head, Verdict verdict, Executor& here);

    enum class Progress : std::uint8_t { go, wait, stop };

    /// More content. `wait`: for the flight's bell, then ask `progressOf`.
    Progress add(Flight& flight, Chunk chunk, Executor& here);
    Progress progressOf(Flight& flight);

    /// False: nobody waits for it any more. True: wait for the flight's bell, then ask again.
    bool isWanted(Flight& flight);

    /// The answer is whole: it is kept, if it may be. False: it is not what was announced.
    bool complete(Flight& flight, Executor& here);

    /// The run is over. Unless it is complete this is its failure.
    void end(Flight& flight, http::Failure failure, Executor& here);

    // What happens elsewhere:

    /// What a run makes turns out to be for no one else: each asks for itself, if nobody has seen
    /// its head yet; it is not kept in any case. Unknown numbers are none that run.
    void withdraw(std::uint64_t flight, Executor& here);

    /// Something in it went wrong: it is not kept.
    void flaw(std::uint64_t flight);

    /// How many answers were dropped. Runs at work on others that it concerns are not kept.
    std::size_t purge(const Purge& which);

    void countStandIn(); ///< a stale one stood in for a failure
    Counts counts() const;

private:
    friend class Seat;

    void enlist(const std::shared_ptr<Flight>& flight);
    void strike(const Flight& flight);
    std::shared_ptr<Flight> begin(const Ask& ask, bool background);
    std::unique_ptr<Seat> follow(const std::shared_ptr<Flight>& flight, const Ask& ask);
    bool closesCircle(std::uint64_t within, std::uint64_t target) const;
    void rememberOwn(const Flight& flight, Milliseconds time, TimePoint now);
    void learnVaries(Flight& flight, TimePoint now);
    void release(Flight& flight, Flight::Followers::iterator follower, const Executor& here);

    mutable std::mutex mutex_; // guards all below, and the flights
    Limits limits_;
    Store store_;
    Counts counts_;
    std::uint64_t lastId_ = 0;
    std::unordered_map<std::string, std::shared_ptr<Flight>> byKey_;  ///< those that can be joined
    std::unordered_map<std::uint64_t, std::shared_ptr<Flight>> byId_; ///< those that run
    std::multimap<std::uint64_t, std::uint64_t> waits_; ///< whose run waits for which flight
    std::atomic<bool> enabled_;
};

/// The place of one who follows a flight, given up when destroyed. On its loop.
class Seat {
public:
    Seat(SharedCache& cache, std::shared_ptr<Flight> flight, Flight::Followers::iterator follower,
         const Executor& here)
        : cache_(cache), flight_(std::move(flight)), follower_(follower), bell_(follower->bell),
          here_(here) {}
    Seat(const Seat&) = delete;
    Seat& operator=(const Seat&) = delete;
    ~Seat();

    /// What is new. All that came before has been passed on. Empty: `co_await news()`, at once.
    Flight::Portion take();
    coro::Event::Awaiter news() noexcept { return bell_->wait(); }

private:
    SharedCache& cache_;
    std::shared_ptr<Flight> flight_;
    Flight::Followers::iterator follower_;
    std::shared_ptr<Bell> bell_;
    const Executor& here_;
};

} // namespace reef::cache
