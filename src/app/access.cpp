#include "app/access.h"

#include <unistd.h>

#include <algorithm>

namespace reef::app {

bool mayUse(const process::Identity& identity, const struct stat& status, int rights) noexcept {
    const auto wanted = static_cast<mode_t>(rights); // R_OK, W_OK and X_OK are the bits of a mode
    if (identity.user == 0)
        return (wanted & X_OK) == 0 || (status.st_mode & (S_IXUSR | S_IXGRP | S_IXOTH)) != 0 ||
               S_ISDIR(status.st_mode);
    const bool inGroup = status.st_gid == identity.group ||
                         std::ranges::find(identity.groups, status.st_gid) != identity.groups.end();
    const unsigned shift = status.st_uid == identity.user ? 6U : inGroup ? 3U : 0U;
    return ((status.st_mode >> shift) & wanted) == wanted;
}

bool mayEnter(const process::Identity& identity, const std::string& directory) {
    for (std::size_t end = directory.find('/', 1);; end = directory.find('/', end + 1)) {
        struct stat status{};
        if (::stat(directory.substr(0, end).c_str(), &status) != 0 ||
            !mayUse(identity, status, X_OK))
            return false;
        if (end == std::string::npos) return true;
    }
}

} // namespace reef::app
