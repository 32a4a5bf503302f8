#pragma once

#include "app/config.h"
#include "app/server_user.h"

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace reef::app {

/// Who, beside root, could have written a site's `atoll.toml`. A plain value.
struct Authorship {
    bool isRoots = true;       ///< root alone: the file may name any user
    std::optional<uid_t> user; ///< whose else it is; nothing: of a group, or of everybody
    std::string why;           ///< "/srv/site belongs to user shop"; empty when it is root's

    /// By the owners and rights of the file, if there is one, and of the directory that it is in,
    /// also behind a symbolic link. Blocks.
    static Authorship of(const std::string& directory);
};

/// When root starts islands as the users that the configuration names, an island that could have
/// written it would choose for itself. So a file that is not root's names nobody but its owner,
/// with a group of that user's. A sentence for each user that is refused; users that do not exist
/// are told of by findIslandUsers. `server` is let pass. Blocks.
std::vector<std::string> faultsOfAuthorship(const Config& config, const Authorship& author,
                                            std::optional<uid_t> server = std::nullopt);

/// Where server and islands are different users, the file must not make them one: such an island
/// could read the server's data and its memory. A sentence for each. Blocks.
std::vector<std::string> faultsOfSharing(const Config& config, const ServerUser& user);

} // namespace reef::app
