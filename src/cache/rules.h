#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace reef::cache {

using Milliseconds = std::chrono::milliseconds;
using TimePoint = std::chrono::steady_clock::time_point;

/// Name and value, with memory of their own.
using Field = std::pair<std::string, std::string>;
using Fields = std::vector<Field>;

/// What a route says about keeping answers. Immutable, shared by all loops.
struct Rules {
    Milliseconds ttl{0};          ///< of answers that do not say how long; 0: those are not kept
    Milliseconds stale{0};        ///< after that, one may be used while it is made anew
    Milliseconds staleIfError{0}; ///< and one may be used when it cannot be made anew
    std::vector<std::string> headers; ///< fields of requests that answers depend on; lower case
    std::vector<std::string> cookies; ///< and cookies, by name
};

/// What an include says about the answer that it shows: it stands over what that answer says.
struct Keeping {
    Milliseconds ttl{0};
    Milliseconds stale{0}; ///< while it is made anew, and when it cannot be
};

} // namespace reef::cache
