#pragma once

#include "app/config.h"
#include "app/server_user.h"
#include "process/identity.h"

#include <expected>
#include <string>
#include <vector>

namespace reef::app {

/// A user that the running keeper knows, and where in its list. A plain value.
struct KnownUser {
    gateway::IslandUser who; ///< as the configuration names it; empty: islands' usual user
    std::uint16_t index = 0;
    uid_t user = 0;

    /// One word for the server's command line, and back. Nothing: it is none.
    std::string describe() const;
    static std::optional<KnownUser> parse(const std::string& word);
};

/// What the keeper is started with.
struct IslandUsers {
    std::vector<process::Identity> identities; ///< KeeperSpec::identities; empty: its own alone
    std::vector<KnownUser> known;
};

/// Looks up all users that the configuration names; `user.islands` is who the islands are of which
/// it says nothing (nothing: as the keeper). Only root has islands run as others, and only as those
/// that app/island_trust.h lets pass. The error: a sentence each. Blocks.
std::expected<IslandUsers, std::vector<std::string>> findIslandUsers(const Config& config,
                                                                     const ServerUser& user);

/// Writes the users' numbers into the configuration. The error names one that the keeper does not
/// know, because it was not there when the keeper began.
std::expected<void, std::string> assignIslandUsers(Config& config,
                                                   const std::vector<KnownUser>& known);

} // namespace reef::app
