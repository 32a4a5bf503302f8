#pragma once

#include "base/bytes.h"
#include "base/fd.h"
#include "base/result.h"
#include "coro/task.h"
#include "http/body.h"

#include <atomic>
#include <string>
#include <utility>

namespace reef::gateway {

/// What collected contents of this process hold together. Any thread.
struct SpoolUse {
    static constexpr ByteCount kMostMemory =
        16_MiB; ///< beyond, further ones go to the disk at once
    static constexpr ByteCount kMostDisk = 1024_MiB; ///< beyond, further ones are refused

    std::atomic<ByteCount> memory{0};
    std::atomic<ByteCount> disk{0};

    static SpoolUse& ofProcess() noexcept;
};

/// The part of one content in that; given back with it.
class SpoolShare {
public:
    SpoolShare() = default;
    SpoolShare(SpoolShare&& other) noexcept
        : place_(std::exchange(other.place_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
    SpoolShare& operator=(SpoolShare&& other) noexcept {
        std::swap(place_, other.place_);
        std::swap(bytes_, other.bytes_);
        return *this;
    }
    ~SpoolShare() { release(); }

    /// Takes so much more of `place`, where all bytes are from now on. False: beyond `most`.
    bool take(std::atomic<ByteCount>& place, ByteCount bytes, ByteCount most) noexcept;
    void release() noexcept;

private:
    std::atomic<ByteCount>* place_ = nullptr;
    ByteCount bytes_ = 0;
};

/// Content whose length was not known, collected: in memory up to `kSpoolMemoryBytes`, then in an
/// unlinked file.
struct Spooled {
    Fd file; ///< positioned at its beginning; fit to be a program's standard input
    ByteCount length = 0;
    SpoolShare share; ///< to be held as long as the file
};

inline constexpr ByteCount kSpoolMemoryBytes = 256_KiB;

/// Reads `body` to its end. `directory`: where the unlinked file is made. Errors: the body's own,
/// tooLarge, unavailable (too much is being collected), system (no space on the disk).
Task<Result<Spooled>> spool(http::Body& body, std::string directory);

} // namespace reef::gateway
