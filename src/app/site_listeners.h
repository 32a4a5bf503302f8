#pragma once

#include "app/config.h"
#include "app/serving_loops.h"
#include "process/server_control.h"

#include <expected>
#include <string>
#include <vector>

namespace reef::app {

/// The addresses at which visitors come in: those inherited from the keeper, and what a changed
/// configuration makes of them. On the first loop.
class SiteListeners {
public:
    SiteListeners(ServingLoops& loops, process::ServerControl& control)
        : loops_(loops), control_(control) {}

    /// One that the loops serve already.
    void adopt(const ListenAddress& listener) { open_.push_back(listener); }

    /// Addresses that are new, bound, with a socket for each loop.
    struct Bound {
        ListenAddress listener;
        std::vector<Fd> sockets;
    };

    /// Binds what `wanted` has and is not open yet. When one cannot be had, all that were bound for
    /// it are given back, and the error is a sentence.
    Task<std::expected<std::vector<Bound>, std::string>>
    bind(const std::vector<ListenAddress>& wanted);

    /// Serves at `fresh` too, and no more at what `wanted` does not have; connections stay. Empty
    /// `wanted`: the addresses stay as they are.
    void change(const std::vector<ListenAddress>& wanted, std::vector<Bound> fresh);

    /// URLs, for people.
    std::vector<std::string> urls() const;

private:
    ServingLoops& loops_;
    process::ServerControl& control_;
    std::vector<ListenAddress> open_;
};

} // namespace reef::app
