#pragma once

#include "coro/event.h"
#include "coro/scope.h"
#include "gateway/island_directory.h"
#include "io/loop.h"
#include "process/keeper_client.h"
#include "process/spawn_request.h"
#include "process/zygote.h"

#include <cstddef>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace reef::gateway {

/// The interpreters that one loop keeps warm: one for an island (docs/warm-islands.md). Outlives
/// the runs, and is outlived by loop and keeper's client. On the loop's thread alone.
///
/// An interpreter is started by the first request for its island, which does not wait for it. One
/// that fails is tried again after a pause, twice as long each time; one that nobody asks for is
/// ended, as is the one not asked for the longest when there are too many. When the island has
/// changed, the next request starts another.
class WarmIslands {
public:
    static constexpr std::size_t kMostInterpreters = 16;
    static constexpr std::chrono::minutes kIdle{10};
    static constexpr std::chrono::milliseconds kFirstPause = std::chrono::seconds(1);
    static constexpr std::chrono::milliseconds kLongestPause = std::chrono::minutes(10);

    WarmIslands(io::Loop& loop, process::KeeperClient& keeper);
    ~WarmIslands();
    WarmIslands(const WarmIslands&) = delete;
    WarmIslands& operator=(const WarmIslands&) = delete;

    /// The interpreter that can run `request`, which starts the island plainly, in its stead. Null:
    /// start it. Valid until the loop's next turn, or while a child of it is held.
    process::Zygote* find(const Island& island, const process::SpawnRequest& request);

    /// Interpreters that run, those that are on their way out included.
    std::size_t size() const noexcept;

private:
    class Interpreter;
    struct Entry;

    void start(Entry& entry, const Island& island, const process::SpawnRequest& request);
    void makeRoom();
    void noteEnd(Entry& entry);
    void dismiss(Entry& entry);
    void lookAround();
    Task<void> lookAfter();

    io::Loop& loop_;
    process::KeeperClient& keeper_;
    std::unordered_map<std::string, std::unique_ptr<Entry>> entries_; ///< by the island's file
    std::vector<std::unique_ptr<Interpreter>> leaving_;
    coro::Event begun_; ///< there is something to look after
    coro::Scope tasks_; // last member: its tasks go first
};

} // namespace reef::gateway
