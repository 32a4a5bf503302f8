#pragma once

#include "cache/rules.h"
#include "http/response.h"

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <optional>
#include <string>
#include <vector>

namespace reef::cache {

/// How long an answer may be used, counted from when it was made here.
struct Lifetime {
    Milliseconds fresh{0};
    Milliseconds stale{0};        ///< after `fresh`: at once, while it is made anew (RFC 5861 3)
    Milliseconds staleIfError{0}; ///< after `fresh`: when it cannot be made anew (RFC 5861 4)
    Milliseconds age{0};          ///< that it had by then

    /// As long as it can be of any use.
    Milliseconds whole() const noexcept { return fresh + std::max(stale, staleIfError); }

    friend bool operator==(const Lifetime&, const Lifetime&) = default;
};

/// For whom an answer is.
enum class Sharing : std::uint8_t {
    kept,   ///< for all who ask until it is too old
    waited, ///< for those who wait for it: a failure (5xx)
    own,    ///< for one who asks with all that its request has
};

struct Verdict {
    Sharing sharing = Sharing::own;
    Lifetime lifetime;

    /// Names of its Vary, lower case, sorted, without those that the rules' key has already Host,
    /// and Accept-Encoding: what is kept is not compressed.
    std::vector<std::string> varies;
};

/// What becomes of an answer whose request had nothing but what is in the key (RFC 9111 3, as a
/// shared cache). How long: what the include says, else s-maxage, max-age, Expires of the answer,
/// else the rules' ttl. Never kept: no-store, private, Set-Cookie, 206, 304, 5xx, `Vary: *`,
/// `Vary: Cookie` where the rules choose no cookie; no-cache, unless an include says how long.
/// Stale ones: must-revalidate forbids, s-maxage does unless the answer itself allows it.
/// `now` is the time of day.
Verdict verdictOn(const http::ResponseHead& head, const Rules& rules,
                  const std::optional<Keeping>& keeping, std::time_t now);

} // namespace reef::cache
