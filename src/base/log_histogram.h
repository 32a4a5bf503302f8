#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace reef {

/// Counts values in buckets that grow with them, four to each doubling: quantiles within a tenth of
/// the true value, out of 640 bytes, however many values there were. From 1 to 2^40 (12 days in
/// microseconds); what is smaller or larger counts as these. A plain value; pure.
class LogHistogram {
public:
    void add(std::uint64_t value) noexcept;
    void merge(const LogHistogram& other) noexcept;

    std::uint64_t count() const noexcept { return count_; }

    /// The value below which this part (0 to 1) of the values lies; 0 when there are none.
    std::uint64_t quantile(double part) const noexcept;

private:
    static constexpr std::size_t kPerDoubling = 4;
    static constexpr std::size_t kDoublings = 40;

    static std::size_t bucketOf(std::uint64_t value) noexcept;

    std::array<std::uint32_t, kDoublings * kPerDoubling> buckets_{}; ///< full ones stay full
    std::uint64_t count_ = 0;
};

} // namespace reef
