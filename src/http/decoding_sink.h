#pragma once

#include "http/decompressor.h"
#include "http/request.h"
#include "http/response.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace reef::http {

/// A filter before a sink that undoes the content coding of an answer, so that what stands behind
/// it can read the content: gzip, deflate, zstd. Uncoded answers pass as they are. The head loses
/// Content-Encoding, the length, and what else speaks of the coded bytes.
///
/// What has come can be read behind it when the task of a `write` ends. Memory: a Decompressor and
/// 64 KiB; and what is sent whole (`send`) leaves as one `send` when it is not larger than
/// `kWholeBytes`. Others of the loop have their turn after each 64 KiB.
///
/// Content that is corrupt, cut short or a bomb fails the call, and all behind it: `fault` says
/// why. Then the sink behind has not been told that its content is complete. A bomb is content that
/// becomes more than `kMaxRatio` times as large; `kFreeBytes` are free of that.
///
/// Lives in the frame of the task that answers; request and sink outlive it. One loop.
class DecodingSink final : public ResponseSink {
public:
    /// Which answers are concerned.
    enum class Of : std::uint8_t {
        pages, ///< text/html; a coding that is not known here passes
        any    ///< all that have content; a coding that is not known here is a fault
    };

    static constexpr ByteCount kWholeBytes = 256_KiB;
    static constexpr std::size_t kPieceBytes = 64_KiB;
    static constexpr ByteCount kFreeBytes = 16_MiB;
    static constexpr ByteCount kMaxRatio = 200; ///< pages reach 10, gzip can do 1032, zstd any

    DecodingSink(const Request& request, ResponseSink& next, Of concerns) noexcept
        : request_(request), next_(next), concerns_(concerns) {}

    /// Why an answer failed here: "its content (gzip) is corrupt". Empty: it did not.
    const std::string& fault() const noexcept { return fault_; }

    /// What went well and should not have been so, for the log. Empty: nothing.
    const std::string& remark() const noexcept { return remark_; }

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
    Status learn(const ResponseHead& head);
    ResponseHead decodedHead(const ResponseHead& head) const;
    bool concerns(const ResponseHead& head) const noexcept;
    Task<Status> decode(ByteView piece);
    Task<Status> passOn(ByteView made);
    Status checkSize();
    Status spoil(std::string_view what);

    const Request& request_;
    ResponseSink& next_;
    Of concerns_;
    bool begun_ = false;
    std::string fault_;
    std::string remark_;
    std::string name_;                      ///< of the coding
    std::unique_ptr<Decompressor> decoder_; ///< null: all passes
    std::unique_ptr<char[]> room_;
    ByteCount taken_ = 0;
    ByteCount made_ = 0;
    std::optional<ResponseHead> whole_; ///< head of a `send` as long as it may leave as one
    std::string gathered_;              ///< its content
};

} // namespace reef::http
