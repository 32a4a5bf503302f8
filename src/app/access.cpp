#include "app/access.h"

#include <sys/stat.h>

#include <algorithm>

namespace reef::app {

namespace {

bool maySearch(const process::Identity& identity, const struct stat& status) {
    if (identity.user == 0) return true;
    if (status.st_uid == identity.user) return (status.st_mode & S_IXUSR) != 0;
    const bool inGroup = status.st_gid == identity.group ||
                         std::ranges::find(identity.groups, status.st_gid) != identity.groups.end();
    return (status.st_mode & (inGroup ? S_IXGRP : S_IXOTH)) != 0;
}

} // namespace

bool mayEnter(const process::Identity& identity, const std::string& directory) {
    for (std::size_t end = directory.find('/', 1);; end = directory.find('/', end + 1)) {
        struct stat status{};
        if (::stat(directory.substr(0, end).c_str(), &status) != 0 || !maySearch(identity, status))
            return false;
        if (end == std::string::npos) return true;
    }
}

} // namespace reef::app
