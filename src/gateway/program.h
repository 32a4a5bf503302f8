#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "coro/task.h"
#include "http/failure.h"

#include <cstddef>
#include <optional>
#include <string_view>

namespace reef::gateway {

/// A program at work, as whoever reads its answer sees it.
class Program {
public:
    /// Bytes of its standard output, or 0 when it has closed it, or has ended and a descendant
    /// alone holds it open.
    virtual Task<Result<std::size_t>> read(ByteRoom into) = 0;

    /// The same without waiting: `unavailable` when nothing is there yet.
    virtual Result<std::size_t> readNow(ByteRoom into) = 0;

    /// How it ended, after its output: a crash is a failure even when all looked well. One that
    /// closed its output and goes on is waited for, but not for long.
    virtual Task<http::Handled> outcome() = 0;

    /// Whether it is known to have ended badly, by a signal or with an exit status other than 0.
    virtual bool hasDied() const noexcept = 0;

    /// Why its input broke off, if it did: its answer then counts for nothing.
    virtual std::optional<Error> inputError() const noexcept = 0;

    /// A line about this run for the log.
    virtual void note(std::string_view what) = 0;

protected:
    ~Program() = default;
};

} // namespace reef::gateway
