#pragma once

#include "base/bytes.h"
#include "http/body.h"
#include "http/chunked.h"
#include "http/framing.h"
#include "io/pace.h"
#include "io/stream.h"
#include "serve/settings.h"

#include <memory>
#include <optional>

namespace reef::serve {

/// The content of a client's request, read from its connection as it is pulled. Sends `100
/// Continue` at the first pull when the client waits for it. Belongs to the task that serves the
/// request.
class ClientBody final : public http::Body {
public:
    ClientBody(io::Stream& stream, const Settings& settings, std::pmr::memory_resource& memory)
        : stream_(stream), settings_(settings), decoder_(memory), pace_(settings.receiveRate) {}

    /// After the head: its framing, and what was received behind it (valid while this object
    /// lives).
    void begin(const http::Framing& framing, ByteView received);

    Task<Result<ByteView>> read() override;
    std::optional<ByteCount> length() const noexcept override;

    /// Whether the whole content was taken from the connection.
    bool ended() const noexcept { return ended_; }

    /// The client still waits for `100 Continue`: its content will not come.
    bool unasked() const noexcept { return awaitsContinue_; }

    /// The last read has not ended: it is the client that we wait for.
    bool awaited() const noexcept { return awaited_; }

    /// Bytes taken from the connection for this content, with chunk sizes and trailers.
    ByteCount received() const noexcept { return received_; }

    /// Pulls and throws away what is left, up to `limit` bytes. True when the end was reached.
    Task<bool> discard(ByteCount limit);

    /// After the end: bytes received that belong to the next request.
    ByteView remainder() const noexcept { return input_; }

private:
    Task<Result<ByteView>> readCounted();
    Task<Result<ByteView>> readChunked();
    Task<Status> refill(ByteCount atMost);

    io::Stream& stream_;
    const Settings& settings_;
    http::Framing framing_;
    http::ChunkedDecoder decoder_;
    ByteView input_;                 ///< received, not yet handed out
    std::unique_ptr<char[]> buffer_; ///< made when the content goes beyond the head's buffer
    ByteCount left_ = 0;             ///< of a counted body
    ByteCount taken_ = 0;            ///< content handed out
    ByteCount received_ = 0;
    io::Pace pace_;
    bool awaited_ = false;
    bool awaitsContinue_ = false;
    bool ended_ = false;
};

} // namespace reef::serve
