#pragma once

#include "io/network.h"

#include <optional>
#include <string_view>

namespace reef::site {

/// From where a client may come. `deny` takes away from `allow`; an empty `allow` means everywhere.
struct AccessRules {
    io::Networks allow;
    io::Networks deny;

    /// `remoteAddress` as http::Endpoints has it. Clients of a unix socket have none, and come from
    /// this machine: they are admitted unless `allow` names networks.
    bool admit(std::string_view remoteAddress) const noexcept;
};

} // namespace reef::site
