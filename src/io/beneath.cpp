#include "io/beneath.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

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

bool isStillAt(int descriptor, const char* path) noexcept {
    struct stat open{};
    struct stat there{};
    return ::fstat(descriptor, &open) == 0 && ::stat(path, &there) == 0 &&
           open.st_ino == there.st_ino && open.st_dev == there.st_dev;
}

} // namespace reef::io
