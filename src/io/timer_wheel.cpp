#include "io/timer_wheel.h"

#include <algorithm>
#include <bit>

namespace reef::io {

void Timer::disarm() noexcept {
    if (next_ != nullptr && wheel_ != nullptr) wheel_->unlink(*this);
}

TimerWheel::TimerWheel() noexcept {
    for (Level& level : levels_) {
        for (Ends& ends : level.slots)
            ends.next_ = ends.previous_ = &ends;
    }
}

TimerWheel::~TimerWheel() {
    for (Level& level : levels_) {
        for (Ends& ends : level.slots) {
            while (ends.next_ != &ends)
                unlink(*ends.next_);
            ends.next_ = ends.previous_ = nullptr;
        }
    }
}

void TimerWheel::arm(Timer& timer, std::chrono::milliseconds delay) noexcept {
    timer.disarm();
    // One tick more, since the current millisecond has partly passed.
    const auto ticks = static_cast<std::uint64_t>(std::max<std::int64_t>(delay.count(), 0)) + 1;
    timer.tick_ = now_ + std::min<std::uint64_t>(ticks, std::uint64_t{1} << 40U);
    insert(timer);
}

void TimerWheel::insert(Timer& timer) noexcept {
    // The level is that of the highest group of bits in which the time differs from now.
    const std::uint64_t differing = (timer.tick_ ^ now_) | (kSlots - 1);
    const auto highest = static_cast<unsigned>(63 - std::countl_zero(differing));
    const unsigned level = std::min(highest / kBits, kLevels - 1);
    auto slot = static_cast<unsigned>((timer.tick_ >> (kBits * level)) & (kSlots - 1));
    const unsigned shift = kBits * level;
    if ((timer.tick_ >> shift) - (now_ >> shift) >= kSlots) {
        // Further than the wheel reaches: wait in the slot that comes last, and look again then.
        slot = static_cast<unsigned>(((now_ >> shift) + kSlots - 1) & (kSlots - 1));
    }
    Ends& ends = levels_[level].slots[slot];
    timer.wheel_ = this;
    timer.level_ = static_cast<std::uint8_t>(level);
    timer.slot_ = static_cast<std::uint8_t>(slot);
    timer.previous_ = ends.previous_;
    timer.next_ = &ends;
    ends.previous_->next_ = &timer;
    ends.previous_ = &timer;
    levels_[level].occupied |= std::uint64_t{1} << slot;
}

void TimerWheel::unlink(Timer& timer) noexcept {
    Level& level = levels_[timer.level_];
    timer.previous_->next_ = timer.next_;
    timer.next_->previous_ = timer.previous_;
    timer.previous_ = timer.next_ = nullptr;
    const Ends& ends = level.slots[timer.slot_];
    if (ends.next_ == &ends) level.occupied &= ~(std::uint64_t{1} << timer.slot_);
}

std::optional<TimerWheel::Due> TimerWheel::nextDue() const noexcept {
    std::optional<Due> best;
    for (unsigned index = 0; index < kLevels; ++index) {
        const std::uint64_t occupied = levels_[index].occupied;
        if (occupied == 0) continue;
        const unsigned shift = kBits * index;
        const auto here = static_cast<unsigned>((now_ >> shift) & (kSlots - 1));
        // Distance in slots; 0 would be the slot we stand in, which belongs to the next round.
        const auto ahead =
            static_cast<unsigned>(std::countr_zero(std::rotr(occupied, static_cast<int>(here))));
        const std::uint64_t steps = ahead == 0 ? (index == 0 ? 0 : kSlots) : ahead;
        const std::uint64_t tick = ((now_ >> shift) + steps) << shift;
        if (!best || tick < best->tick) best = Due{index, (here + ahead) & (kSlots - 1), tick};
    }
    return best;
}

std::optional<std::uint64_t> TimerWheel::next() const noexcept {
    const auto due = nextDue();
    if (!due) return std::nullopt;
    return due->tick;
}

void TimerWheel::advance(std::uint64_t tick) {
    while (const auto due = nextDue()) {
        if (due->tick > tick) break;
        now_ = std::max(now_, due->tick);
        Ends& ends = levels_[due->level].slots[due->slot];
        // Timers armed meanwhile land in later slots (insert), except when this is the outermost
        // level: so take what is here now, mark by mark.
        Ends taken;
        taken.next_ = ends.next_;
        taken.previous_ = ends.previous_;
        taken.next_->previous_ = &taken;
        taken.previous_->next_ = &taken;
        ends.next_ = ends.previous_ = &ends;
        levels_[due->level].occupied &= ~(std::uint64_t{1} << due->slot);
        while (taken.next_ != &taken) {
            Timer& timer = *taken.next_;
            timer.previous_->next_ = timer.next_;
            timer.next_->previous_ = timer.previous_;
            timer.previous_ = timer.next_ = nullptr;
            if (timer.tick_ > now_) {
                insert(timer);
            } else {
                timer.expired();
            }
        }
        taken.next_ = taken.previous_ = nullptr;
    }
    now_ = std::max(now_, tick);
}

} // namespace reef::io
