#pragma once

#include <cerrno>
#include <cstdint>
#include <expected>
#include <string>

// All of Atoll lives in namespace `reef`: the C library owns the name `::atoll` (<stdlib.h>).
namespace reef {

/// An expected failure, named so that the caller can decide: `if (result.error() ==
/// Error::peerClosed)`. Two words wide, copied freely, compares by code alone.
class Error {
public:
    enum Code : std::uint8_t {
        peerClosed,  ///< the other end closed, or reset, its side
        timedOut,    ///< a deadline passed first
        tooLarge,    ///< a stated limit was exceeded
        malformed,   ///< bytes that the protocol does not allow
        unsupported, ///< understood, and not offered
        notFound,
        forbidden,
        unavailable, ///< a limit, a queue or a back end is full or away; trying later may work
        failed,      ///< a child, an island or a back end failed in its own right
        system,      ///< a system call failed: see systemError()
    };

    constexpr Error(Code code, int systemError = 0) noexcept // NOLINT: implicit by design
        : code_(code), systemError_(systemError) {}

    /// The failure of the system call that has just set `errno`.
    static Error fromErrno() noexcept { return {system, errno}; }

    constexpr Code code() const noexcept { return code_; }

    /// The errno value of a `system` error (or of one that a system call caused), else 0.
    constexpr int systemError() const noexcept { return systemError_; }

    /// A short phrase for a log line, for example "connection closed by peer".
    std::string describe() const;

    friend constexpr bool operator==(Error a, Error b) noexcept { return a.code_ == b.code_; }

private:
    Code code_;
    int systemError_;
};

/// A value, or the expected failure that took its place. Never holds "nothing".
template<class T>
using Result = std::expected<T, Error>;

/// Success without a value, or a failure.
using Status = Result<void>;

/// `return fail(Error::timedOut);`
inline std::unexpected<Error> fail(Error error) noexcept {
    return std::unexpected<Error>(error);
}

} // namespace reef
