#pragma once

#include "base/bytes.h"
#include "http/request_parser.h"
#include "io/network.h"
#include "io/pace.h"
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
        std::chrono::seconds(15); ///< from a request's first byte to its whole head; then 408
    io::Timeout bodyTimeout = std::chrono::seconds(30); ///< each wait for more content
    io::Timeout sendTimeout = std::chrono::seconds(60); ///< each wait for the client to take more
    io::Timeout idleTimeout = std::chrono::seconds(75); ///< between two requests on a connection

    /// From a request's first byte to the end of its response, whoever is slow. Before the response
    /// has begun: 408 when the client's content was missing, else 504; after that the response is
    /// cut.
    io::Timeout totalTimeout = io::kNever;

    /// The least speed of a request's content, and of the response at the client's end. Only the
    /// time that we wait for the client counts, never that of an island.
    io::LeastRate receiveRate{.bytesPerSecond = 500, .grace = std::chrono::seconds(20)};
    io::LeastRate sendRate{.bytesPerSecond = 500, .grace = std::chrono::seconds(20)};

    std::size_t maxConnections = 12'000; ///< per loop; further ones wait in the kernel's queue

    /// Of one client (io::customerOf: an IPv4 address, a /64 of IPv6) at all loops together;
    /// further ones are closed at once. 0: no limit. Trusted proxies have none.
    std::size_t maxConnectionsPerAddress = 0;

    /// Who may say for whom it speaks (client_address.h): proxies by their address, and whoever
    /// reaches us over a unix socket.
    io::Networks trustedProxies;
    bool trustUnixSockets = false;

    std::string serverName = "Atoll"; ///< value of Server; empty: no such field
    bool requestIdField = false;      ///< answers carry the request's id in X-Request-Id
};

} // namespace reef::serve
