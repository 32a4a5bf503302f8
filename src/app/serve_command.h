#pragma once

#include "app/island_users.h"

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace reef::app {

/// `atoll serve DIR` with its options.
struct ServeOptions {
    std::string directory = ".";
    std::vector<std::string> listen; ///< instead of the configuration's
    std::optional<std::string> panel;

    /// For the server: who the keeper knows. Nothing: this is not the server.
    std::optional<std::vector<KnownUser>> users;
    pid_t guardian = 0; ///< for the server: process::guardian() of the keeper
};

/// Binds the addresses, becomes the keeper, starts the server, and stays until told to stop.
/// Returns the exit status; what is wrong is told on standard error first.
int serveSite(const ServeOptions& options);

} // namespace reef::app
