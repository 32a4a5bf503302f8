#pragma once

#include "cache/entry.h"
#include "cache/executor.h"
#include "http/failure.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <list>
#include <memory>
#include <optional>
#include <string>

namespace reef::cache {

using Chunk = std::shared_ptr<const std::string>;

/// How far a run is.
enum class Stage : std::uint8_t {
    running, ///< nothing is known yet
    flowing, ///< its head is there, and perhaps some of its content
    complete,
    failed, ///< before its head
    cut,    ///< behind its head
    own,    ///< its answer is for nobody: each who asked makes one of its own
};

constexpr bool isOver(Stage stage) noexcept {
    return stage != Stage::running && stage != Stage::flowing;
}

/// Bounds of what a cache holds, in bytes.
struct Limits {
    ByteCount memory = 32_MiB; ///< of all that is kept; 0: there is no cache
    ByteCount answer = 1_MiB;  ///< of the content of one answer
};

/// What is asked for when a run begins.
struct FlightPlan {
    std::string primary; ///< key without what Vary tells
    std::string key;     ///< what others know it by, and what its answer is kept under
    Place place;
    Fields carried; ///< fields of clients that the run's request has
};

/// One run of what makes an answer, and all who follow it: what has come of it so far, chunk by
/// chunk, and where each follower is. A chunk stays until the answer has been kept, or, once the
/// answer has outgrown what may be kept, until all who follow have had it.
///
/// Belongs to a SharedCache, whose mutex guards all but `id` and `plan`.
class Flight {
public:
    struct Follower {
        std::shared_ptr<Bell> bell;
        std::uint64_t within = 0; ///< the flight whose run waits here; 0: a client's own request
        std::uint64_t next = 0;   ///< chunk to be had next
        std::uint64_t done = 0;   ///< chunks before it have been passed on
        bool sawHead = false;
    };
    using Followers = std::list<Follower>;

    /// What a follower has not had yet.
    struct Portion {
        Stage stage = Stage::running;
        std::shared_ptr<const Head> head; ///< once
        std::vector<std::string> varies;  ///< with it: what the run's request did not have
        bool kept = false;                ///< with it: others will have it too
        std::vector<Chunk> chunks;
        std::optional<http::Failure> failure; ///< when it has failed
        bool empty() const noexcept { return !head && chunks.empty() && !isOver(stage); }
    };

    Flight(std::uint64_t number, FlightPlan what, std::shared_ptr<Bell> runs, bool unasked)
        : id(number), plan(std::move(what)), run(std::move(runs)), background(unasked) {}

    /// The head has come.
    void show(std::shared_ptr<const Head> shown, Verdict verdict);

    /// `limit`: bytes of content that may be kept. False: nobody is left to have it.
    bool add(Chunk chunk, ByteCount limit);

    /// Whether the run has to wait until a follower has caught up.
    bool isFull(ByteCount limit) const noexcept { return outgrown && held > limit; }

    /// What is new for a follower, who has passed on all that it had before.
    Portion take(Follower& follower, ByteCount limit, const Executor& here);

    /// Whether a follower has begun to pass it on.
    bool isSeen() const noexcept {
        return std::ranges::any_of(followers, [](const Follower& each) { return each.sawHead; });
    }

    /// It follows no more.
    void leave(Followers::iterator follower);

    void end(Stage how, const Executor& here);

    void ringAll(const Executor& here);

    /// All of the content, if nothing of it has gone.
    std::string content() const;

    const std::uint64_t id;
    FlightPlan plan;
    std::shared_ptr<Bell> run; ///< of the run: there is room, or it is to end
    bool background;           ///< runs without followers too

    Stage stage = Stage::running;
    std::shared_ptr<const Head> head;
    Verdict verdict;
    std::optional<http::Failure> failure;
    bool outgrown = false;  ///< too large to be kept
    bool flawed = false;    ///< something in it went wrong: not to be kept
    bool overtaken = false; ///< a purge came meanwhile: neither kept nor joined
    bool abandoned = false; ///< nobody waits for it any more: it is to end
    Followers followers;
    ByteCount written = 0; ///< content in all

private:
    void trim();

    std::deque<Chunk> chunks_;
    std::uint64_t first_ = 0; ///< number of chunks_.front()
    ByteCount held = 0;       ///< bytes of chunks_, with what each costs beside
};

} // namespace reef::cache
