#include "io/beneath.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdint>
#include <string_view>

namespace reef::io {

Result<Fd> openBeneath(int directory, const char* name, int flags, Links links) {
    open_how how{};
    how.flags = static_cast<std::uint64_t>(flags | O_CLOEXEC);
    how.resolve = RESOLVE_NO_MAGICLINKS | (links == Links::anywhere ? 0U : RESOLVE_BENEATH) |
                  (links == Links::refused ? RESOLVE_NO_SYMLINKS : 0U);
    constexpr int kTries = 8; // EAGAIN: a rename raced with the walk
    for (int i = 0; i < kTries; ++i) {
        const long descriptor = ::syscall(SYS_openat2, directory, name, &how, sizeof how);
        if (descriptor >= 0) return Fd(static_cast<int>(descriptor));
        if (errno != EINTR && errno != EAGAIN) break;
    }
    return fail(Error::fromErrno());
}

std::string realNameOf(int descriptor) {
    const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
    std::string name(PATH_MAX, '\0');
    const auto length = ::readlink(link.c_str(), name.data(), name.size());
    if (length <= 0 || name.front() != '/') return {};
    name.resize(static_cast<std::size_t>(length));
    constexpr std::string_view kGone = " (deleted)";
    struct stat status{};
    // The kernel's word for a removed file is also a name that a file may have.
    if (name.ends_with(kGone) && ::lstat(name.c_str(), &status) != 0) return {};
    return name;
}

std::optional<std::string> realNameBelow(int directory, int descriptor) {
    const auto above = realNameOf(directory);
    auto name = realNameOf(descriptor);
    if (above.empty() || !name.starts_with(above)) return std::nullopt;
    if (above == "/") return name.substr(1);
    if (name.size() <= above.size() || name[above.size()] != '/') return std::nullopt;
    return name.substr(above.size() + 1);
}

bool isStillAt(int descriptor, const char* path) noexcept {
    struct stat open{};
    struct stat there{};
    return ::fstat(descriptor, &open) == 0 && ::stat(path, &there) == 0 &&
           open.st_ino == there.st_ino && open.st_dev == there.st_dev;
}

} // namespace reef::io
