#include "gateway/spool.h"

#include "base/write_all.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <unistd.h>

namespace reef::gateway {

namespace {

/// The collected bytes go from memory to a file that no name leads to: gone when it is closed,
/// crash included.
Status moveToDisk(Fd& file, ByteCount length, const std::string& directory) {
    Fd disk(::open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
    if (!disk) return fail(Error::fromErrno());
    off_t offset = 0;
    while (offset < static_cast<off_t>(length)) {
        const auto moved =
            ::sendfile(disk.get(), file.get(), &offset, static_cast<std::size_t>(length));
        if (moved <= 0) return fail(moved < 0 ? Error::fromErrno() : Error(Error::failed));
    }
    file = std::move(disk);
    return {};
}

} // namespace

Task<Result<Spooled>> spool(http::Body& body, std::string directory) {
    Spooled spooled;
    spooled.file = Fd(::memfd_create("atoll-body", MFD_CLOEXEC));
    if (!spooled.file) co_return fail(Error::fromErrno());
    bool inMemory = true;
    for (;;) {
        const auto piece = co_await body.read();
        if (!piece) co_return fail(piece.error());
        if (piece->empty()) break;
        if (inMemory && spooled.length + piece->size() > kSpoolMemoryBytes) {
            inMemory = false;
            if (const auto moved = moveToDisk(spooled.file, spooled.length, directory); !moved)
                co_return fail(moved.error());
        }
        if (const auto put = writeAll(spooled.file.get(), *piece); !put)
            co_return fail(put.error());
        spooled.length += piece->size();
    }
    if (::lseek(spooled.file.get(), 0, SEEK_SET) != 0) co_return fail(Error::fromErrno());
    co_return spooled;
}

} // namespace reef::gateway
