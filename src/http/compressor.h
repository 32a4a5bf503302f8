#pragma once

#include "base/bytes.h"
#include "http/content_coding.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace reef::http {

/// Compresses one stream of bytes after another. Memory of one: 256 KiB (gzip) or 1.1 MiB (zstd),
/// whatever passes through it. One thread.
class Compressor {
public:
    enum class Flush : std::uint8_t {
        none,  ///< as much as compresses well
        sync,  ///< everything fed so far can be decoded from what has come out
        finish ///< the stream is complete; the next call begins another one
    };

    virtual ~Compressor() = default;

    /// Takes all of `in` and appends what is ready to `out`: at most about `in.size()` and what an
    /// earlier call without a flush has kept back (128 KiB at most).
    virtual void compress(ByteView in, Flush flush, std::string& out) = 0;

    /// Forgets a stream that was not finished.
    virtual void reset() noexcept = 0;
};

/// The compressors of one loop. At most `most` work at once: who gets none sends its content as it
/// is. Must outlive its leases. One thread.
class CompressorPool {
public:
    static constexpr std::size_t kMost = 32;
    static constexpr std::size_t kMostIdle = 2; ///< kept of each coding; further ones are freed

    explicit CompressorPool(std::size_t most = kMost) noexcept : most_(most) {}

    /// The right to a compressor, and after `use` the compressor; given back when it goes.
    class [[nodiscard]] Lease {
    public:
        Lease() noexcept = default;
        Lease(Lease&& other) noexcept;
        Lease& operator=(Lease&& other) noexcept;
        ~Lease() { release(); }

        explicit operator bool() const noexcept { return compressor_ != nullptr; }
        Compressor* operator->() const noexcept { return compressor_.get(); }

    private:
        friend class CompressorPool;
        Lease(CompressorPool& pool, ContentCoding coding, std::unique_ptr<Compressor> compressor);
        void release() noexcept;

        CompressorPool* pool_ = nullptr;
        ContentCoding coding_ = ContentCoding::identity;
        std::unique_ptr<Compressor> compressor_;
    };

    /// A compressor at the beginning of a stream, for gzip or zstd. Empty when all are at work,
    /// when there is no memory for another, and for a coding that we do not make.
    Lease take(ContentCoding coding);

    /// The same for a stream that may last for hours: half of them is left to others.
    Lease takeForLong(ContentCoding coding) { return live_ < most_ / 2 ? take(coding) : Lease(); }

    /// Whether `take` would find one at work too many.
    bool exhausted() const noexcept { return live_ >= most_; }

private:
    std::vector<std::unique_ptr<Compressor>>& idleOf(ContentCoding coding) noexcept {
        return coding == ContentCoding::gzip ? idleGzip_ : idleZstd_;
    }

    std::size_t most_;
    std::size_t live_ = 0;
    std::vector<std::unique_ptr<Compressor>> idleGzip_;
    std::vector<std::unique_ptr<Compressor>> idleZstd_;
};

} // namespace reef::http
