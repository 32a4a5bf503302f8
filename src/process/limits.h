#pragma once

#include "base/bytes.h"

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>

namespace reef::process {

/// As a limit: what the keeper has holds.
template<class Number>
inline constexpr Number kUnlimited = std::numeric_limits<Number>::max();
template<>
inline constexpr std::chrono::seconds kUnlimited<std::chrono::seconds> =
    std::chrono::seconds::max();

template<class Number>
constexpr bool isUnlimited(const Number& value) noexcept {
    return value == kUnlimited<Number>;
}

/// What a child may use (setrlimit(2)). What is not set, or unlimited, is inherited from the
/// keeper. A plain value.
struct Limits {
    /// CPU time of each of its processes: SIGXCPU when it is used up, SIGKILL one second later.
    std::optional<std::chrono::seconds> cpuTime;

    /// Address space, in bytes (RLIMIT_AS). Runtimes that reserve much and use little (Go, Node,
    /// Java) need `dataSize` instead.
    std::optional<ByteCount> addressSpace;

    /// Heap and other private writable memory, in bytes (RLIMIT_DATA).
    std::optional<ByteCount> dataSize;

    /// The largest file it may write, in bytes: SIGXFSZ beyond.
    std::optional<ByteCount> fileSize;

    /// Descriptors that may be open at once.
    std::optional<std::uint32_t> openFiles;

    /// Processes and threads of the child's user, not of the child alone: worth setting only when
    /// islands have a user of their own. Not enforced for root.
    std::optional<std::uint32_t> processes;

    /// The largest core file, in bytes. Default: none is written.
    std::optional<ByteCount> coreSize = 0;

    /// -20 (first served) to 19 (last); below the keeper's own value only root may go.
    std::optional<int> nice;

    /// Nothing is set, not even what is set by default.
    static Limits none() noexcept {
        Limits limits;
        limits.coreSize.reset();
        return limits;
    }

    friend bool operator==(const Limits&, const Limits&) = default;
};

} // namespace reef::process
