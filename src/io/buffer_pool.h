#pragma once

#include "base/bytes.h"

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace reef::io {

/// Buffers of 32 KiB for bytes that pass through, lent to those who need one for a while. One pool
/// per loop; must outlive its leases.
class BufferPool {
public:
    static constexpr std::size_t kBytes = 32768;
    static constexpr std::size_t kMaxIdle = 32; ///< further ones are freed

    class [[nodiscard]] Lease {
    public:
        Lease(Lease&& other) noexcept : pool_(other.pool_), bytes_(std::move(other.bytes_)) {}
        Lease& operator=(Lease&&) = delete;
        Lease(const Lease&) = delete;
        Lease& operator=(const Lease&) = delete;
        ~Lease() {
            if (bytes_) pool_.giveBack(std::move(bytes_));
        }
        ByteRoom room() const noexcept { return {bytes_.get(), kBytes}; }

    private:
        friend class BufferPool;
        Lease(BufferPool& pool, std::unique_ptr<char[]> bytes) noexcept
            : pool_(pool), bytes_(std::move(bytes)) {}
        BufferPool& pool_;
        std::unique_ptr<char[]> bytes_;
    };

    Lease take() {
        if (idle_.empty()) return {*this, std::make_unique_for_overwrite<char[]>(kBytes)};
        auto bytes = std::move(idle_.back());
        idle_.pop_back();
        return {*this, std::move(bytes)};
    }

private:
    void giveBack(std::unique_ptr<char[]> bytes) noexcept {
        if (idle_.size() < kMaxIdle) idle_.push_back(std::move(bytes));
    }
    std::vector<std::unique_ptr<char[]>> idle_;
};

} // namespace reef::io
