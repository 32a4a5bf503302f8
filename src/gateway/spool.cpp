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

SpoolUse& SpoolUse::ofProcess() noexcept {
    static SpoolUse use;
    return use;
}

bool SpoolShare::take(std::atomic<ByteCount>& place, ByteCount bytes, ByteCount most) noexcept {
    if (place_ != &place) {
        bytes += bytes_;
        release();
        place_ = &place;
    }
    const auto before = place.fetch_add(bytes, std::memory_order_relaxed);
    bytes_ += bytes;
    return before + bytes <= most;
}

void SpoolShare::release() noexcept {
    if (place_ != nullptr) place_->fetch_sub(bytes_, std::memory_order_relaxed);
    place_ = nullptr;
    bytes_ = 0;
}

Task<Result<Spooled>> spool(http::Body& body, std::string directory) {
    Spooled spooled;
    spooled.file = Fd(::memfd_create("atoll-body", MFD_CLOEXEC));
    if (!spooled.file) co_return fail(Error::fromErrno());
    bool inMemory = true;
    for (;;) {
        const auto piece = co_await body.read();
        if (!piece) co_return fail(piece.error());
        if (piece->empty()) break;
        auto& use = SpoolUse::ofProcess();
        const bool fits =
            inMemory && spooled.share.take(use.memory, piece->size(), SpoolUse::kMostMemory);
        if (inMemory && (!fits || spooled.length + piece->size() > kSpoolMemoryBytes)) {
            inMemory = false;
            if (!spooled.share.take(use.disk, 0, SpoolUse::kMostDisk))
                co_return fail(Error::unavailable);
            if (const auto moved = moveToDisk(spooled.file, spooled.length, directory); !moved)
                co_return fail(moved.error());
        } else if (!inMemory && !spooled.share.take(use.disk, piece->size(), SpoolUse::kMostDisk)) {
            co_return fail(Error::unavailable);
        }
        if (const auto put = writeAll(spooled.file.get(), *piece); !put)
            co_return fail(put.error());
        spooled.length += piece->size();
    }
    if (::lseek(spooled.file.get(), 0, SEEK_SET) != 0) co_return fail(Error::fromErrno());
    co_return spooled;
}

} // namespace reef::gateway
