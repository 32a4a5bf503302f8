#include "http/decompressor.h"

#include "base/text.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <new>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

namespace reef::http {

namespace {

using Stepped = std::expected<Decompressor::Step, std::string_view>;

constexpr std::string_view kCorrupt = "is corrupt";
constexpr int kWindow = 15;     // 32 KiB, the largest there is
constexpr int kZstdWindow = 23; // 8 MiB: RFC 9659

/// Content of members, one behind the other. A first byte tells whether one follows.
class Members : public Decompressor {
public:
    Stepped decode(ByteView in, ByteRoom out) final {
        Step all{0, 0};
        while (all.taken != in.size() || stage_ == Stage::within) {
            if (stage_ == Stage::behind) {
                hasMore_ = true;
                return Step{in.size(), all.made};
            }
            if (stage_ == Stage::between) {
                if (const auto begun = begin(in[all.taken]); !begun)
                    return std::unexpected(begun.error());
                continue;
            }
            bool ended = false;
            const auto done = step(in.subspan(all.taken), out.subspan(all.made), ended);
            if (!done) return done;
            all.taken += done->taken;
            all.made += done->made;
            if (ended) stage_ = isRepeated() ? Stage::between : Stage::behind;
            if (all.made == out.size() || (!ended && done->taken == 0 && done->made == 0)) break;
        }
        return all;
    }

    bool isWhole() const noexcept final { return stage_ != Stage::within; }
    bool hasMore() const noexcept final { return hasMore_; }

protected:
    /// Whether a member begins by this byte; makes ready for it.
    virtual bool begins(unsigned char first) = 0;

    /// Within a member. `ended`: this was its end.
    virtual Stepped step(ByteView in, ByteRoom out, bool& ended) = 0;

    virtual bool isRepeated() const noexcept { return true; }

private:
    enum class Stage : std::uint8_t { between, within, behind };

    std::expected<void, std::string_view> begin(char first) {
        if (begins(static_cast<unsigned char>(first))) {
            stage_ = Stage::within;
        } else if (isFirst_) {
            return std::unexpected(std::string_view("is none of that coding"));
        } else {
            stage_ = Stage::behind;
        }
        isFirst_ = false;
        return {};
    }

    Stage stage_ = Stage::between;
    bool isFirst_ = true;
    bool hasMore_ = false;
};

class ZlibDecompressor : public Members {
public:
    ZlibDecompressor() {
        if (::inflateInit2(&stream_, kWindow + 16) != Z_OK) throw std::bad_alloc();
    }
    ~ZlibDecompressor() override { ::inflateEnd(&stream_); }
    ZlibDecompressor(const ZlibDecompressor&) = delete;
    ZlibDecompressor& operator=(const ZlibDecompressor&) = delete;

protected:
    /// As zlib's inflateInit2 has them: with what head and tail the stream comes.
    bool restart(int windowBits) { return ::inflateReset2(&stream_, windowBits) == Z_OK; }

    Stepped step(ByteView in, ByteRoom out, bool& ended) override {
        constexpr std::size_t kMost = std::numeric_limits<uInt>::max();
        const auto given = static_cast<uInt>(std::min(in.size(), kMost));
        const auto room = static_cast<uInt>(std::min(out.size(), kMost));
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
        stream_.avail_in = given;
        stream_.next_out = reinterpret_cast<Bytef*>(out.data());
        stream_.avail_out = room;
        const int code = ::inflate(&stream_, Z_NO_FLUSH);
        if (code == Z_MEM_ERROR) throw std::bad_alloc();
        // Z_BUF_ERROR: there was nothing to do.
        if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
            return std::unexpected(kCorrupt);
        ended = code == Z_STREAM_END;
        return Step{given - stream_.avail_in, room - stream_.avail_out};
    }

private:
    z_stream stream_{};
};

class GzipDecompressor final : public ZlibDecompressor {
    bool begins(unsigned char first) override { return first == 0x1f && restart(kWindow + 16); }
};

/// "deflate" is zlib's format; but some send what is inside of it alone, and clients take both. A
/// block that is stored begins by a byte whose upper bits nobody sets, which is how they differ.
class DeflateDecompressor final : public ZlibDecompressor {
    bool begins(unsigned char first) override {
        const bool isZlib = (first & 0x0fU) == 8 && first >> 4U <= 7;
        return restart(isZlib ? kWindow : -kWindow);
    }
    bool isRepeated() const noexcept override { return false; }
};

class ZstdDecompressor final : public Members {
public:
    ZstdDecompressor() : context_(::ZSTD_createDCtx()) {
        if (!context_) throw std::bad_alloc();
        ::ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, kZstdWindow);
    }

private:
    /// A frame, or one that is to be skipped (RFC 8878 3.1).
    bool begins(unsigned char first) override { return first == 0x28 || first >> 4U == 5; }

    Stepped step(ByteView in, ByteRoom out, bool& ended) override {
        ZSTD_inBuffer input{in.data(), in.size(), 0};
        ZSTD_outBuffer output{out.data(), out.size(), 0};
        const auto left = ::ZSTD_decompressStream(context_.get(), &output, &input);
        if (::ZSTD_isError(left) != 0) return std::unexpected(reasonOf(left));
        ended = left == 0;
        return Step{input.pos, output.pos};
    }

    static std::string_view reasonOf(std::size_t code) {
        switch (::ZSTD_getErrorCode(code)) {
        case ZSTD_error_memory_allocation:
            throw std::bad_alloc();
        case ZSTD_error_frameParameter_windowTooLarge:
            return "needs a window of more than 8 MiB (RFC 9659)";
        default:
            return kCorrupt;
        }
    }

    struct Free {
        void operator()(ZSTD_DCtx* context) const noexcept { ::ZSTD_freeDCtx(context); }
    };
    std::unique_ptr<ZSTD_DCtx, Free> context_;
};

} // namespace

std::unique_ptr<Decompressor> Decompressor::of(std::string_view coding) {
    const auto is = [coding](std::string_view token) {
        return text::equalsIgnoreCase(coding, token);
    };
    if (is("gzip") || is("x-gzip")) return std::make_unique<GzipDecompressor>();
    if (is("deflate")) return std::make_unique<DeflateDecompressor>();
    if (is("zstd")) return std::make_unique<ZstdDecompressor>();
    return nullptr;
}

} // namespace reef::http
