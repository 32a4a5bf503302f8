#pragma once

#include "process/limits.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace reef::gateway {

/// Who an island runs as, by name or number. Without a group: the user's own.
struct IslandUser {
    std::string user;
    std::string group;

    friend bool operator==(const IslandUser&, const IslandUser&) = default;
};

/// How islands are run, as the configuration, a site or a route says. Each member that is given
/// stands over what held before. A plain value.
struct IslandRules {
    std::optional<std::chrono::milliseconds> timeout;     ///< of a run, from its start to its end
    std::optional<std::chrono::milliseconds> idleTimeout; ///< without a byte of output
    std::optional<IslandUser> user;
    std::uint16_t identity = 0; ///< of `user`, in the keeper's list
    process::Limits limits = process::Limits::none();

    void override(const IslandRules& other);
};

} // namespace reef::gateway
