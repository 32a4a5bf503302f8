#pragma once

#include "base/arena.h"
#include "http/response.h"
#include "http/response_encoder.h"
#include "io/pace.h"
#include "io/stream.h"
#include "serve/settings.h"

namespace reef::serve {

/// A response on its way to the client's connection: frames the content (length, chunked, or until
/// close), sends head and first content in one write. One per request; belongs to the task that
/// serves it.
class ClientSink final : public http::ResponseSink {
public:
    ClientSink(io::Stream& stream, const Settings& settings, http::AnswerContext context,
               Arena& memory)
        : stream_(stream), settings_(settings), context_(context), memory_(memory),
          pace_(settings.sendRate) {}

    Task<Status> begin(const http::ResponseHead& head) override;
    Task<Status> write(std::span<const ByteView> pieces) override;
    Task<Status> writeFile(int file, ByteCount offset, ByteCount count) override;
    Task<Status> flush() override;
    Task<Status> end() override;
    Task<Status> send(const http::ResponseHead& head, std::span<const ByteView> pieces) override;
    Task<Status> sendFile(const http::ResponseHead& head, int file, ByteCount offset,
                          ByteCount count) override;
    bool begun() const noexcept override { return begun_; }

    /// The response went out whole, with its proper end.
    bool complete() const noexcept { return complete_; }

    /// Whether the connection may serve another request: complete, and the head said so.
    bool reusable() const noexcept { return complete_ && head_.keepAlive; }

    /// The head promised an end that a client can tell from a cut (a length, or chunks).
    bool cutIsVisible() const noexcept { return head_.body != http::BodyKind::untilClose; }

    void forbidKeepAlive() noexcept { context_.keepAlive = false; }

    /// Forbids it when `ending` (which outlives the sink) is true by the time the head is made: the
    /// client learns that the server drains, also when its request came before.
    void forbidKeepAliveIf(const bool& ending) noexcept { ending_ = &ending; }

    int status() const noexcept { return status_; }
    ByteCount sent() const noexcept { return pace_.moved(); } ///< handed over to the kernel
    ByteCount content() const noexcept;                       ///< of these, without head and chunks
    ByteView head() const noexcept { return head_.bytes; }    ///< as encoded; empty before it began
    std::string_view contentType() const noexcept { return contentType_; }

private:
    void encode(const http::ResponseHead& head, std::optional<ByteCount> length);
    ByteView takeHead() noexcept;
    Task<Status> writeVectors(std::span<iovec> vectors, io::More more);
    Task<Status> writePieces(ByteView before, std::span<const ByteView> pieces, ByteView after);

    io::Stream& stream_;
    const Settings& settings_;
    http::AnswerContext context_;
    Arena& memory_;
    http::EncodedHead head_;
    ByteView unsentHead_;
    ByteCount left_ = 0; ///< of a promised length
    io::Pace pace_;
    ByteCount framing_ = 0; ///< bytes of head and chunk sizes that were to be sent
    std::string_view contentType_;
    int status_ = 0;
    const bool* ending_ = nullptr;
    bool begun_ = false;
    bool complete_ = false;
};

} // namespace reef::serve
