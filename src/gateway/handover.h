#pragma once

#include "http/failure.h"
#include "http/response.h"

#include <cstdint>
#include <expected>
#include <optional>
#include <string_view>

namespace reef::gateway {

/// What an island's answer asks its site to answer with, in place of content of its own. The
/// program has ended well by the time it is known. Views live in the request's arena.
struct Handover {
    enum class To : std::uint8_t {
        localPath, ///< `Location: /path`: as if the client had asked for it (RFC 3875 6.2.2)
        innerPath, ///< `X-Accel-Redirect: /path`: a path that the site may keep from clients
        file,      ///< `X-Sendfile: /name`: a file
    };

    To to;
    std::string_view target; ///< path with an optional query, or the name of the file
    http::ResponseHead head; ///< the island's own status and fields; its length does not count
};

/// What becomes of a run: the answer has gone out, or the site is to give another one.
using IslandResult = std::expected<std::optional<Handover>, http::Failure>;

} // namespace reef::gateway
