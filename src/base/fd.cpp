#include "base/fd.h"

#include <unistd.h>

#include <cerrno>

namespace reef {

void Fd::reset(int descriptor) noexcept {
    const int old = std::exchange(descriptor_, descriptor);
    if (old < 0) return;
    const int savedErrno = errno;
    ::close(old); // Linux releases the number even when close reports EINTR or EIO
    errno = savedErrno;
}

} // namespace reef
