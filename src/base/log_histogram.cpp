#include "base/log_histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace reef {

namespace {

void addTo(std::uint32_t& bucket, std::uint32_t count) noexcept {
    bucket += std::min(count, std::numeric_limits<std::uint32_t>::max() - bucket);
}

} // namespace

/// The doubling is the value's highest bit, the bucket in it the two bits behind that.
std::size_t LogHistogram::bucketOf(std::uint64_t value) noexcept {
    if (value <= 1) return 0;
    const auto highest = static_cast<std::size_t>(std::bit_width(value)) - 1;
    if (highest >= kDoublings) return kDoublings * kPerDoubling - 1;
    const std::uint64_t below = highest >= 2 ? value >> (highest - 2) : value << (2 - highest);
    return highest * kPerDoubling + static_cast<std::size_t>(below & 3U);
}

void LogHistogram::add(std::uint64_t value) noexcept {
    addTo(buckets_[bucketOf(value)], 1);
    ++count_;
}

void LogHistogram::merge(const LogHistogram& other) noexcept {
    for (std::size_t i = 0; i != buckets_.size(); ++i)
        addTo(buckets_[i], other.buckets_[i]);
    count_ += other.count_;
}

std::uint64_t LogHistogram::quantile(double part) const noexcept {
    if (count_ == 0) return 0;
    const double wanted = std::clamp(part, 0.0, 1.0) * static_cast<double>(count_);
    std::uint64_t seen = 0;
    std::size_t bucket = 0;
    for (std::size_t i = 0; i != buckets_.size(); ++i) {
        if (buckets_[i] == 0) continue;
        bucket = i;
        seen += buckets_[i];
        if (static_cast<double>(seen) >= wanted) break;
    }
    if (bucket == 0) return 1;
    const double least = std::exp2(static_cast<double>(bucket / kPerDoubling));
    const double middle = 1.0 + (static_cast<double>(bucket % kPerDoubling) + 0.5) /
                                    static_cast<double>(kPerDoubling);
    return static_cast<std::uint64_t>(std::llround(least * middle));
}

} // namespace reef
