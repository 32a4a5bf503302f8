#include "app/data_directory.h"

#include "base/fd.h"
#include "base/log.h"
#include "base/text.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <dirent.h>

namespace reef::app {

namespace {

/// Whose server was another user before. Only plain files that were the owner's: a link to somebody
/// else's file must not give it away.
void giveFiles(const std::string& data, uid_t before, const process::Identity& user) {
    DIR* const directory = ::opendir(data.c_str());
    if (directory == nullptr) return;
    while (const dirent* entry = ::readdir(directory)) {
        const Fd file(::openat(::dirfd(directory), entry->d_name, O_PATH | O_NOFOLLOW | O_CLOEXEC));
        struct stat status{};
        if (!file || ::fstat(file.get(), &status) != 0) continue;
        if (!S_ISREG(status.st_mode) || status.st_uid != before || status.st_nlink != 1) continue;
        if (::fchownat(file.get(), "", user.user, user.group, AT_EMPTY_PATH) != 0)
            log::error("keeper", text::concat("cannot give ", data, "/", entry->d_name, " to user ",
                                              user.name, ": ", std::strerror(errno)));
    }
    ::closedir(directory);
}

} // namespace

std::expected<void, std::string> makeDataDirectory(const std::string& data,
                                                   const std::optional<process::Identity>& user) {
    if (::mkdir(data.c_str(), 0700) != 0 && errno != EEXIST)
        return std::unexpected(text::concat("cannot make ", data, ": ", std::strerror(errno)));
    struct stat before{};
    if (user && ::stat(data.c_str(), &before) == 0 && before.st_uid != user->user &&
        before.st_uid != 0)
        giveFiles(data, before.st_uid, *user);
    if (user && ::chown(data.c_str(), user->user, user->group) != 0)
        return std::unexpected(text::concat("cannot give ", data, " to user ", user->name, ": ",
                                            std::strerror(errno)));
    return {};
}

bool closeDataDirectory(const std::string& data) {
    struct stat status{};
    if (::stat(data.c_str(), &status) != 0 || (status.st_mode & 0077) == 0) return false;
    if (::chmod(data.c_str(), 0700) == 0) return true;
    log::error("keeper",
               text::concat("cannot close ", data, " to islands: ", std::strerror(errno)));
    return false;
}

} // namespace reef::app
