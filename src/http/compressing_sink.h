#pragma once

#include "http/compressor.h"
#include "http/request.h"
#include "http/response.h"

#include <optional>
#include <string>

namespace reef::http {

/// A filter before a sink that compresses what goes through, when it may and the client likes it:
/// a 2xx answer with content, of a type that compresses, `kLeastBytes` or more or of unknown
/// length, which has no Content-Encoding, Content-Range, digest or `no-transform` yet. Other
/// answers pass as they are.
///
/// The head says `Vary: Accept-Encoding` whenever the type compresses; with compressed content it
/// gets Content-Encoding, loses Accept-Ranges and the length, and a strong entity tag becomes weak
/// (RFC 9110 8.8.1). So does that of a 304, which speaks of what was compressed. HEAD is answered
/// with the head of GET, but for the length, which only compressing would tell.
///
/// Nothing is held back: what a `write` brought can be decoded by the client when the task ends
/// (server-sent events, streamed pages), at the price of a few bytes each. A `send` or `sendFile`
/// is one stream, and one `send` when it is not larger than `kWholeBytes`. Between pieces of
/// `kPieceBytes` the others of the loop have their turn.
///
/// Lives in the frame of the task that answers; request, sink and pool outlive it. One loop.
class CompressingSink final : public ResponseSink {
public:
    static constexpr ByteCount kLeastBytes = 1000;
    static constexpr ByteCount kWholeBytes = 256_KiB;
    static constexpr std::size_t kPieceBytes = 64_KiB; ///< about a millisecond of gzip

    CompressingSink(const Request& request, ResponseSink& next, CompressorPool& pool) noexcept
        : request_(request), next_(next), pool_(pool) {}

    Task<Status> begin(const ResponseHead& head) override;
    Task<Status> write(std::span<const ByteView> pieces) override;
    Task<Status> writeFile(int file, ByteCount offset, ByteCount count) override;
    Task<Status> flush() override;
    Task<Status> end() override;
    Task<Status> send(const ResponseHead& head, std::span<const ByteView> pieces) override;
    Task<Status> sendFile(const ResponseHead& head, int file, ByteCount offset,
                          ByteCount count) override;
    bool begun() const noexcept override { return begun_; }

private:
    /// What becomes of the content.
    enum class Treatment : std::uint8_t { pass, compress, headOnly };

    std::optional<ResponseHead> learn(const ResponseHead& head, std::optional<ByteCount> length);
    ContentCoding codingFor(std::optional<ByteCount> length) const noexcept;
    Task<Status> sendHeadOnly(const ResponseHead& head);
    Task<Status> feed(ByteView piece);
    Task<Status> feedFile(int file, ByteCount offset, ByteCount count);
    Task<Status> pass(Compressor::Flush flush);

    const Request& request_;
    ResponseSink& next_;
    CompressorPool& pool_;
    Treatment treatment_ = Treatment::pass;
    bool begun_ = false;
    bool whole_ = false; ///< gathers everything for one `send`
    CompressorPool::Lease compressor_;
    std::string out_;
};

} // namespace reef::http
