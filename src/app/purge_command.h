#pragma once

#include <string>
#include <vector>

namespace reef::app {

/// What `atoll purge` is to drop.
struct PurgeWish {
    std::string directory;
    std::string host;               ///< empty: every host
    std::vector<std::string> paths; ///< "/news", "/news/*"
    bool all = false;               ///< whatever the path
};

/// `atoll purge`: has the running server of a directory drop answers that it keeps, and says how
/// many those were. Returns the exit status.
int purgeAnswers(const PurgeWish& wish);

} // namespace reef::app
