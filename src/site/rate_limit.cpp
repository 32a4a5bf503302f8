#include "site/rate_limit.h"

#include <sys/random.h>

#include <algorithm>
#include <cstring>

namespace reef::site {

namespace {

constexpr unsigned kTimeBits = 40;
constexpr std::uint64_t kTimeMask = (std::uint64_t{1} << kTimeBits) - 1;
constexpr std::size_t kNeighbours = 4;

std::uint64_t mixed(std::uint64_t value) noexcept {
    value ^= value >> 30U;
    value *= 0xbf58476d1ce4e5b9U;
    value ^= value >> 27U;
    value *= 0x94d049bb133111ebU;
    return value ^ (value >> 31U);
}

std::uint64_t timeOf(std::uint64_t cell) noexcept {
    return cell & kTimeMask;
}

std::uint64_t tagOf(std::uint64_t hash) noexcept {
    const std::uint64_t tag = hash >> kTimeBits;
    return tag == 0 ? 1 : tag;
}

} // namespace

RateLimit::RateLimit(Rate rate, std::size_t cells)
    : rate_(rate), key_(0), cellCount_(cells), cells_(std::make_unique<Cell[]>(cells)) {
    const auto period = std::chrono::duration_cast<std::chrono::microseconds>(rate.period).count();
    interval_ = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(period) /
                                               std::max<std::uint32_t>(1, rate.count));
    const std::uint64_t most = kTimeMask / 2 / interval_; // so that every time fits into a cell
    tolerance_ =
        interval_ * std::min<std::uint64_t>(most, std::max<std::uint32_t>(1, rate.burst) - 1);
    if (::getrandom(&key_, sizeof key_, 0) < 0) key_ = reinterpret_cast<std::uintptr_t>(this);
}

std::uint64_t RateLimit::hashOf(const io::HostBits& client) const noexcept {
    const auto customer = io::customerOf(client);
    std::uint64_t halves[2];
    std::memcpy(halves, customer.data(), sizeof halves);
    return mixed(mixed(halves[0] ^ key_) ^ halves[1]);
}

/// The client's cell; or one that is free or due soonest among its neighbours.
RateLimit::Cell& RateLimit::cellOf(std::uint64_t hash, std::uint64_t now) noexcept {
    const std::size_t first = static_cast<std::size_t>(hash) % cellCount_;
    Cell* best = nullptr;
    std::uint64_t bestTime = kTimeMask;
    for (std::size_t i = 0; i != kNeighbours; ++i) {
        Cell& cell = cells_[(first + i) % cellCount_];
        const std::uint64_t value = cell.load(std::memory_order_relaxed);
        if (value >> kTimeBits == tagOf(hash)) return cell;
        const std::uint64_t due = timeOf(value) <= now ? 0 : timeOf(value);
        if (best != nullptr && due >= bestTime) continue;
        best = &cell;
        bestTime = due;
    }
    return *best;
}

std::optional<std::chrono::milliseconds> RateLimit::admit(const io::HostBits& client,
                                                          Clock::time_point now) {
    const auto elapsed =
        std::chrono::duration_cast<std::chrono::microseconds>(now - epoch_).count();
    const std::uint64_t clock =
        static_cast<std::uint64_t>(std::max<std::int64_t>(0, elapsed)) & kTimeMask;
    const std::uint64_t hash = hashOf(client);
    Cell& cell = cellOf(hash, clock);
    std::uint64_t before = cell.load(std::memory_order_relaxed);
    for (;;) {
        const bool known = before >> kTimeBits == tagOf(hash);
        // A time further ahead than a burst can reach is from before the clock began anew.
        const bool sane = timeOf(before) <= clock + tolerance_ + interval_;
        const std::uint64_t due = known && sane ? std::max(timeOf(before), clock) : clock;
        if (due > clock + tolerance_) {
            const std::uint64_t wait = due - clock - tolerance_;
            return std::chrono::milliseconds((wait + 999) / 1000);
        }
        const std::uint64_t after = (tagOf(hash) << kTimeBits) | ((due + interval_) & kTimeMask);
        if (cell.compare_exchange_weak(before, after, std::memory_order_relaxed))
            return std::nullopt;
    }
}

} // namespace reef::site
