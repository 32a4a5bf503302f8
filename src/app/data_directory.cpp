#include "app/data_directory.h"

#include "base/log.h"
#include "base/text.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <dirent.h>
#include <filesystem>

namespace reef::app {

namespace {

std::unexpected<std::string> cannot(std::string_view doWhat, const std::string& data,
                                    std::string_view how = {}) {
    return std::unexpected(
        text::concat("cannot ", doWhat, " ", data, how, ": ", std::strerror(errno)));
}

/// Whose server was another user before. Only plain files that were the owner's: a link to somebody
/// else's file must not give it away.
void giveFiles(int opened, const std::string& data, uid_t before, const process::Identity& user) {
    Fd copy(::openat(opened, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    DIR* const directory = copy ? ::fdopendir(copy.get()) : nullptr;
    if (directory == nullptr) {
        log::error("keeper", text::concat("cannot give the files of ", data, " to user ", user.name,
                                          ": ", std::strerror(errno)));
        return;
    }
    static_cast<void>(copy.release()); // closedir closes it
    while (const dirent* entry = ::readdir(directory)) {
        const Fd file(::openat(opened, entry->d_name, O_PATH | O_NOFOLLOW | O_CLOEXEC));
        struct stat status{};
        if (!file || ::fstat(file.get(), &status) != 0) continue;
        if (!S_ISREG(status.st_mode) || status.st_uid != before || status.st_nlink != 1) continue;
        if (::fchownat(file.get(), "", user.user, user.group, AT_EMPTY_PATH) != 0)
            log::error("keeper", text::concat("cannot give ", data, "/", entry->d_name, " to user ",
                                              user.name, ": ", std::strerror(errno)));
    }
    ::closedir(directory);
}

/// The site's directory by its canonical name, and in it the one of data: neither is a link, so
/// that nobody who may rename things there leads root to another one.
std::expected<Fd, std::string> openData(const std::string& data) {
    const std::filesystem::path path(data);
    constexpr int kHow = O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    const Fd site(::open(path.parent_path().c_str(), O_PATH | kHow));
    if (!site) return cannot("make", data);
    const std::string name = path.filename().string();
    if (::mkdirat(site.get(), name.c_str(), 0700) != 0 && errno != EEXIST)
        return cannot("make", data);
    Fd opened(::openat(site.get(), name.c_str(), O_RDONLY | kHow));
    if (opened) return opened;
    struct stat status{};
    const int code = errno;
    const bool isLink = ::fstatat(site.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 &&
                        S_ISLNK(status.st_mode);
    errno = code;
    if (!isLink) return cannot("use", data);
    return std::unexpected(text::concat(
        data, " is a symbolic link, and root does not follow it: it would give away what it points "
              "to. Expected a directory, or nothing (another file system can be mounted there)"));
}

} // namespace

std::expected<Fd, std::string> makeDataDirectory(const std::string& data,
                                                 const std::optional<process::Identity>& user) {
    if (!process::maySwitchIdentity()) { // it can give nothing away: a link is its own business
        if (::mkdir(data.c_str(), 0700) != 0 && errno != EEXIST) return cannot("make", data);
        Fd opened(::open(data.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
        if (!opened) return cannot("use", data);
        return opened;
    }
    auto opened = openData(data);
    if (!opened || !user) return opened;
    struct stat before{};
    if (::fstat(opened->get(), &before) != 0) return cannot("use", data);
    if (before.st_uid != user->user && before.st_uid != 0)
        giveFiles(opened->get(), data, before.st_uid, *user);
    if (::fchown(opened->get(), user->user, user->group) != 0)
        return cannot("give", data, text::concat(" to user ", user->name));
    return opened;
}

std::expected<bool, std::string> closeDataDirectory(const Fd& opened, const std::string& data) {
    struct stat status{};
    if (::fstat(opened.get(), &status) != 0) return cannot("use", data);
    if ((status.st_mode & 0077) == 0) return false;
    if (::fchmod(opened.get(), 0700) != 0) return cannot("close", data, " to islands");
    return true;
}

} // namespace reef::app
