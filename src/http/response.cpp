#include "http/response.h"

#include <unistd.h>

#include <algorithm>
#include <memory>

namespace reef::http {

Result<std::size_t> readAt(int file, ByteCount offset, ByteRoom room) noexcept {
    std::size_t have = 0;
    while (have < room.size()) {
        const auto got = ::pread(file, room.data() + have, room.size() - have,
                                 static_cast<off_t>(offset + have));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return fail(Error::fromErrno());
        if (got == 0) break;
        have += static_cast<std::size_t>(got);
    }
    return have;
}

Task<Status> ResponseSink::writeFile(int file, ByteCount offset, ByteCount count) {
    constexpr ByteCount kPiece = 32_KiB;
    const auto room = std::make_unique_for_overwrite<char[]>(kPiece);
    while (count != 0) {
        const auto wanted = static_cast<std::size_t>(std::min(count, kPiece));
        const auto got = readAt(file, offset, {room.get(), wanted});
        if (!got) co_return fail(got.error());
        if (*got != wanted) co_return fail(Error::failed);
        const ByteView piece(room.get(), wanted);
        if (const auto written = co_await write({&piece, 1}); !written) co_return written;
        offset += wanted;
        count -= wanted;
    }
    co_return Status{};
}

} // namespace reef::http
