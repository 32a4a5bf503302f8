#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "coro/task.h"

#include <optional>

namespace reef::http {

/// The content of a message, pulled piece by piece. A piece may be of any size; nothing is read
/// ahead of the puller, so a slow reader slows the sender.
class Body {
public:
    virtual ~Body() = default;

    /// The next piece, never empty; an empty view says that the content has ended, and from then on
    /// is said again. The bytes are valid until the next call. Errors: peerClosed or timedOut
    /// before the end, malformed (chunked coding), tooLarge (the limit for bodies).
    virtual Task<Result<ByteView>> read() = 0;

    /// The whole length in bytes when it is known before reading (Content-Length, a spooled file).
    virtual std::optional<ByteCount> length() const noexcept = 0;
};

/// A message without content.
class EmptyBody final : public Body {
public:
    Task<Result<ByteView>> read() override { co_return ByteView{}; }
    std::optional<ByteCount> length() const noexcept override { return 0; }
};

} // namespace reef::http
