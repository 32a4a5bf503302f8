#include "app/island_trust.h"

#include "app/config_islands.h"
#include "base/text.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

namespace reef::app {

namespace {

std::string nameOf(uid_t user) {
    const auto account = process::findIdentity(std::to_string(user));
    return account ? account->name : std::to_string(user);
}

/// Adds what one file or directory says.
void judge(Authorship& author, const std::string& name) {
    struct stat status{};
    if (!author.isRoots || ::stat(name.c_str(), &status) != 0) return;
    constexpr mode_t kGroup = 0020;
    constexpr mode_t kOthers = 0002;
    const bool byGroup = (status.st_mode & kGroup) != 0 && status.st_gid != 0;
    if (status.st_uid != 0) {
        author.user = status.st_uid;
        author.why = text::concat(name, " belongs to user ", nameOf(status.st_uid));
    } else if (byGroup || (status.st_mode & kOthers) != 0) {
        author.why = text::concat(name, " can be written by others than root");
    }
    author.isRoots = author.why.empty();
}

std::string refusal(const gateway::IslandUser& who, const Config& config,
                    const Authorship& author) {
    const std::string named =
        who.group.empty() ? who.user : text::concat(who.user, " with group ", who.group);
    const std::string owner = author.user ? text::concat("user ", nameOf(*author.user),
                                                         " with a group of that user's, or ")
                                          : std::string();
    return text::concat("islands are to run as user ", named, ", but an island could have written ",
                        "that: ", author.why, ". Expected ", owner, "that ", config.directory,
                        " and ", config.file(),
                        " belong to root and nobody else may write to them");
}

bool isOwnGroup(const process::Identity& found, uid_t user) {
    const auto own = process::findIdentity(std::to_string(user));
    return own && std::ranges::find(own->groups, found.group) != own->groups.end();
}

} // namespace

Authorship Authorship::of(const std::string& directory) {
    Authorship author;
    const std::filesystem::path file = directory + "/atoll.toml";
    std::error_code failed;
    const auto target = std::filesystem::canonical(file, failed);
    if (!failed) judge(author, target.string());
    judge(author, directory);
    if (!failed) judge(author, target.parent_path().string());
    return author;
}

std::vector<std::string> faultsOfAuthorship(const Config& config, const Authorship& author,
                                            std::optional<uid_t> server) {
    std::vector<std::string> faults;
    if (author.isRoots) return faults;
    for (const gateway::IslandUser& who : islandUsers(config)) {
        const auto found = process::findIdentity(who.user, who.group);
        if (!found || (server && found->user == *server)) continue;
        if (author.user && found->user == *author.user && isOwnGroup(*found, *author.user))
            continue;
        faults.push_back(refusal(who, config, author));
    }
    return faults;
}

std::vector<std::string> faultsOfSharing(const Config& config, const ServerUser& user) {
    std::vector<std::string> faults;
    const bool areApart =
        user.identity && user.islands && user.identity->user != user.islands->user;
    if (!areApart) return faults;
    for (const gateway::IslandUser& who : islandUsers(config)) {
        const auto found = process::findIdentity(who.user, who.group);
        if (!found || found->user != user.identity->user) continue;
        faults.push_back(text::concat("islands are to run as user ", who.user,
                                      ", who the server itself runs as: they could read ",
                                      config.data(),
                                      " and the server's memory. Expected another "
                                      "user (`user` in ",
                                      config.file(), ")"));
    }
    return faults;
}

} // namespace reef::app
