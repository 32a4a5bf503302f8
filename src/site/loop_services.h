#pragma once

#include "gateway/admission.h"
#include "gateway/warm_islands.h"
#include "http/compressor.h"
#include "io/loop.h"
#include "io/workers.h"
#include "process/keeper_client.h"

namespace reef::site {

/// What sites need on one loop. Outlives them.
struct LoopServices {
    LoopServices(io::Loop& eventLoop, process::KeeperClient& keeperClient, io::Workers& threads,
                 gateway::Admission& admissionOfAll)
        : loop(eventLoop), keeper(keeperClient), workers(threads),
          admission(eventLoop, admissionOfAll), warm(eventLoop, keeperClient) {}

    io::Loop& loop;
    process::KeeperClient& keeper;
    io::Workers& workers; ///< for hashing passwords
    gateway::LoopAdmission admission;
    http::CompressorPool compressors;
    gateway::WarmIslands warm; ///< kept when the configuration is read again
};

} // namespace reef::site
