#pragma once

#include "cache/response_cache.h"
#include "coro/scope.h"
#include "gateway/shared_islands.h"
#include "gateway/warm_islands.h"
#include "http/compressor.h"
#include "io/loop.h"
#include "io/workers.h"
#include "process/keeper_client.h"
#include "site/cache_loop.h"
#include "site/page_traces.h"

namespace reef::site {

/// What sites need on one loop. Outlives them.
struct LoopServices {
    LoopServices(io::Loop& eventLoop, process::KeeperClient& keeperClient, io::Workers& threads,
                 gateway::SharedIslands& islands, PageTraces& pages, cache::SharedCache& kept)
        : loop(eventLoop), keeper(keeperClient), workers(threads),
          admission(eventLoop, islands.admission), numbers(islands.numbers), traces(pages),
          warm(eventLoop, keeperClient), cacheLoop(eventLoop), cache(kept, cacheLoop) {}

    io::Loop& loop;
    process::KeeperClient& keeper;
    io::Workers& workers; ///< for hashing passwords
    gateway::LoopAdmission admission;
    gateway::IslandNumbers& numbers;
    PageTraces& traces;
    http::CompressorPool compressors;
    gateway::WarmIslands warm; ///< kept when the configuration is read again
    coro::Scope endings;       ///< of islands that nobody waits for any more
    CacheLoop cacheLoop;
    cache::ResponseCache cache; ///< last: its runs go first
};

} // namespace reef::site
