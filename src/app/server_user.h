#pragma once

#include "process/identity.h"

#include <optional>
#include <string>

namespace reef::app {

/// Who server and islands of a site run as.
struct ServerUser {
    /// Nothing: as whoever starts the server.
    std::optional<process::Identity> identity;

    /// Why that is root, when it is: to be said. Otherwise empty.
    std::string whyRoot;
};

/// Started by root: the owner of the site's directory, or the account that web servers usually have
/// (www-data, nobody); root only when neither may enter the directory. Started by anybody else:
/// that user. Blocks.
ServerUser serverUser(const std::string& directory);

/// This process's own user, with all its groups.
process::Identity ownIdentity();

} // namespace reef::app
