#pragma once

#include "base/bytes.h"

#include <chrono>
#include <string>

namespace reef::process {

/// How a process ended, and what it and the descendants it waited for have used. A plain value.
struct Exit {
    int waitStatus = 0; ///< as wait(2) gives it
    std::chrono::microseconds userTime{};
    std::chrono::microseconds systemTime{};

    /// The largest resident memory, in bytes. A child is born sharing the keeper's memory, so the
    /// keeper's own size is the least that is seen here.
    ByteCount peakMemory = 0;

    /// The exit code 0..255, or -1 when a signal ended it.
    int code() const noexcept;

    /// The signal that ended it, or 0.
    int signal() const noexcept;

    bool succeeded() const noexcept { return waitStatus == 0; }

    /// "exit code 3", "killed by signal 9 (KILL)", "killed by signal 11 (SEGV), core dumped".
    std::string describe() const;

    friend bool operator==(const Exit&, const Exit&) = default;
};

} // namespace reef::process
