#include "app/server_user.h"

#include "app/access.h"
#include "base/text.h"

#include <sys/stat.h>
#include <unistd.h>

namespace reef::app {

namespace {

/// Who serves while islands are `islands`: somebody else, if there is anybody.
process::Identity otherThan(const process::Identity& islands, const std::string& directory) {
    for (const char* name : {"atoll", "nobody"}) {
        auto other = process::findIdentity(name);
        if (!other || other->user == islands.user || !mayEnter(*other, directory)) continue;
        other->groups.insert(other->groups.end(), islands.groups.begin(), islands.groups.end());
        return *other;
    }
    return islands;
}

} // namespace

ServerUser serverUser(const std::string& directory) {
    ServerUser user;
    if (!process::maySwitchIdentity()) return user;
    struct stat status{};
    if (::stat(directory.c_str(), &status) == 0 && status.st_uid != 0) {
        if (auto owner = process::findIdentity(std::to_string(status.st_uid))) {
            user.identity = user.islands = std::move(*owner);
            return user;
        }
    }
    user.whyRoot = "islands and server run as root: this machine has no user www-data or nobody";
    for (const char* name : {"www-data", "nobody"}) {
        auto identity = process::findIdentity(name);
        if (!identity) continue;
        if (mayEnter(*identity, directory)) {
            user.identity = otherThan(*identity, directory);
            user.islands = std::move(*identity);
            user.whyRoot.clear();
        } else {
            user.whyRoot =
                text::concat("islands and server run as root: user ", name, " may not enter ",
                             directory, ". Move the site, for example to /srv/site.");
        }
        break;
    }
    return user;
}

process::Identity ownIdentity() {
    process::Identity identity;
    identity.user = ::geteuid();
    identity.group = ::getegid();
    const int count = ::getgroups(0, nullptr);
    identity.groups.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    if (count > 0 && ::getgroups(count, identity.groups.data()) < 0) identity.groups.clear();
    const auto account = process::findIdentity(std::to_string(identity.user));
    identity.name = account ? account->name : std::to_string(identity.user);
    return identity;
}

} // namespace reef::app
