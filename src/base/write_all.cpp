#include "base/write_all.h"

#include <unistd.h>

#include <cerrno>

namespace reef {

Status writeAll(int file, ByteView bytes) noexcept {
    while (!bytes.empty()) {
        const ssize_t written = ::write(file, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return fail(Error::fromErrno());
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return {};
}

} // namespace reef
