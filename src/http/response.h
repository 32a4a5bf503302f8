#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "coro/task.h"
#include "http/header_list.h"

#include <optional>
#include <span>
#include <string_view>

namespace reef::http {

/// Status, fields and what is known of the length. Framing and hop-by-hop fields (Content-Length,
/// Transfer-Encoding, Connection, Date, Server) are the sink's business: handlers do not add them.
struct ResponseHead {
    explicit ResponseHead(std::pmr::memory_resource& memory, int code = 200)
        : status(code), fields(memory) {}

    int status; ///< 200 to 599, final

    /// Reason phrase in place of the registered one; "" for that. Left out when it holds a control
    /// byte. HTTP/1 alone tells it.
    std::string_view reason;
    HeaderList fields;

    /// Length of the content in bytes when known. Unknown: chunked, or until the connection closes
    /// (1.0).
    std::optional<ByteCount> length;
};

/// Where a response goes: the client's connection, or a place in a page. Calls come in the order
/// `begin`, any number of `write`, `writeFile` and `flush`, `end`; or one `send`, or one
/// `sendFile`, instead of all of them. Views passed are needed until the returned task has ended. A
/// task that does not succeed means that whoever should receive this is gone: return at once
/// (`failClient`).
///
/// Back-pressure: a write ends when the receiver has taken the bytes over (the socket or a bounded
/// buffer). Content for a HEAD request may be written and is dropped.
class ResponseSink {
public:
    virtual ~ResponseSink() = default;

    /// The head. It leaves with the first bytes written, or at the next flush.
    virtual Task<Status> begin(const ResponseHead& head) = 0;

    /// More content, on its way to the receiver when the task ends; never held back for more.
    virtual Task<Status> write(std::span<const ByteView> pieces) = 0;

    /// More content out of `file`, as `sendFile` takes it. Unless a sink knows better it is read
    /// and written piece by piece. A file that has become shorter is `failed`.
    virtual Task<Status> writeFile(int file, ByteCount offset, ByteCount count);

    /// Sends a head that still waits for its first content.
    virtual Task<Status> flush() = 0;

    /// The content is complete. With a head that gave a length and a different amount written:
    /// malformed.
    virtual Task<Status> end() = 0;

    /// The whole response at once, its length being the sum of the pieces.
    virtual Task<Status> send(const ResponseHead& head, std::span<const ByteView> pieces) = 0;

    /// The whole response out of `file`, from `offset`, `count` bytes. The descriptor stays the
    /// caller's.
    virtual Task<Status> sendFile(const ResponseHead& head, int file, ByteCount offset,
                                  ByteCount count) = 0;

    /// Whether `begin`, `send` or `sendFile` was called: the status can no longer change.
    virtual bool begun() const noexcept = 0;
};

/// `co_await writeAll(sink, bytes)` for a single piece.
inline Task<Status> writePiece(ResponseSink& sink, ByteView piece) {
    const ByteView pieces[] = {piece};
    co_return co_await sink.write(pieces);
}

/// Reads up to `room.size()` bytes of a file: fewer at its end alone. Error: system.
Result<std::size_t> readAt(int file, ByteCount offset, ByteRoom room) noexcept;

inline Task<Status> sendPiece(ResponseSink& sink, const ResponseHead& head, ByteView piece) {
    const ByteView pieces[] = {piece};
    co_return co_await sink.send(head, pieces);
}

} // namespace reef::http
