#pragma once

#include "process/identity.h"

#include <optional>
#include <string>

namespace reef::app {

/// Who server and islands of a site run as.
struct ServerUser {
    /// Nothing: as whoever starts the server.
    std::optional<process::Identity> identity;

    /// Where the configuration says nothing. Nothing: as whoever starts the server.
    std::optional<process::Identity> islands;

    /// Why that is root, when it is: to be said. Otherwise empty.
    std::string whyRoot;
};

/// Started by root: both are the owner of the site's directory. Where that is root, islands are
/// www-data (or nobody), the account that web servers usually have; and the server is another, so
/// that islands cannot read its data: atoll, if there is such an account, else nobody, with the
/// groups of the islands' user, so that it can read what is for that one. Root only when none of
/// them may enter the directory. Started by anybody else: that user. Blocks.
ServerUser serverUser(const std::string& directory);

/// This process's own user, with all its groups.
process::Identity ownIdentity();

} // namespace reef::app
