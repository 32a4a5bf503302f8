#pragma once

#include "base/bytes.h"

#include <chrono>
#include <cstdint>
#include <string_view>

namespace reef::pageviews {

/// Wall-clock time in UTC. Time zones are a matter of reading, never of writing (rule R14).
using Time = std::chrono::sys_time<std::chrono::milliseconds>;

/// What the request log knows about one request of a client, once its response has ended. One event
/// per client request: a fragment, a local redirect and an error document make none of their own
/// (rule R4).
///
/// Everything from outside is as the client sent it: raw, hostile, of any length and encoding. An
/// absent field is empty. The texts are views: they need to live only for the call that takes the
/// event.
struct Event {
    Time time{}; ///< when the response was complete
    /// From the first byte of the request to then: how fast the client sends and takes is a part of
    /// it.
    std::chrono::microseconds duration{};
    ByteCount bytesSent = 0;  ///< head and body of the response, as sent
    std::uint16_t status = 0; ///< of the final response

    std::string_view method; ///< "GET"
    std::string_view site;   ///< the configured name of the site that answered; "" for the only one
    std::string_view host;   ///< the authority the client asked for, "example.org:8080"
    std::string_view path;   ///< of the request target, before any rewriting: "/a%20b"
    std::string_view query;  ///< without the question mark
    std::string_view contentType; ///< of the page, known to its handler also when a 304 sends none
    std::string_view referrer;
    std::string_view userAgent;
    std::string_view purpose; ///< the first non-empty of Sec-Purpose, Purpose, X-Purpose, X-Moz
    std::string_view fetchDestination; ///< Sec-Fetch-Dest
};

} // namespace reef::pageviews
