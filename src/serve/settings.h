#pragma once

#include "base/bytes.h"
#include "http/request_parser.h"
#include "io/watch.h"

#include <chrono>
#include <cstddef>
#include <string>

namespace reef::serve {

/// Limits and times of client connections. The defaults are those of `atoll.toml`.
struct Settings {
    http::HeadLimits head;
    ByteCount maxBody = 64_MiB; ///< beyond: 413

    io::Timeout headTimeout =
        std::chrono::seconds(15); ///< from a request's first byte to its whole head
    io::Timeout bodyTimeout = std::chrono::seconds(30); ///< each wait for more content
    io::Timeout sendTimeout = std::chrono::seconds(60); ///< each wait for the client to take more
    io::Timeout idleTimeout = std::chrono::seconds(75); ///< between two requests on a connection

    std::size_t maxConnections = 20'000; ///< per loop; further ones wait in the kernel's queue
    std::string serverName = "Atoll";    ///< value of Server; empty: no such field
};

} // namespace reef::serve
