#include "pageviews/intake.h"

#include "pageviews/classify.h"

#include <algorithm>

namespace reef::pageviews {

void Producer::push(const Event& event) noexcept {
    if (!isRecorded(classifyRequest(event))) return;
    intake_.pushed(ring_.push(event));
}

void Intake::pushed(EventRing::Push push) noexcept {
    // The load comes after the push's own store in the one order of both (seq_cst), see
    // EventRing::empty.
    if (asleep_.load() && asleep_.exchange(false)) doorbell_.ring();
    if (push == EventRing::Push::stored || filling_.load(std::memory_order_relaxed)) return;
    if (!filling_.exchange(true)) doorbell_.ring();
}

Producer& Intake::add(std::size_t ringBytes) {
    const std::scoped_lock lock(mutex_);
    return *producers_.emplace_back(std::make_unique<Producer>(*this, ringBytes));
}

std::uint64_t Intake::dropped() const {
    const std::scoped_lock lock(mutex_);
    std::uint64_t total = 0;
    for (const auto& producer : producers_)
        total += producer->ring_.dropped();
    return total;
}

bool Intake::isEmpty() const {
    const std::scoped_lock lock(mutex_);
    return std::ranges::all_of(producers_,
                               [](const auto& producer) { return producer->ring_.empty(); });
}

void Intake::waitForFirst() noexcept {
    asleep_.store(true);
    if (isEmpty() && !isClosed()) doorbell_.wait(std::chrono::milliseconds(-1));
    asleep_.store(false);
}

void Intake::gather(std::chrono::milliseconds time) noexcept {
    if (!filling_.load() && !isClosed()) doorbell_.wait(time);
}

void Intake::pause(std::chrono::milliseconds time) noexcept {
    using Clock = std::chrono::steady_clock;
    for (const auto end = Clock::now() + time; !isClosed();) { // filling queues ring, and may
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now());
        if (left.count() <= 0) return;
        doorbell_.wait(left);
    }
}

void Intake::close() noexcept {
    closed_.store(true);
    doorbell_.ring();
}

std::vector<EventRing::Reader> Intake::readers() {
    filling_.store(false); // before the heads are read: who fills a queue from now on rings again
    const std::scoped_lock lock(mutex_);
    std::vector<EventRing::Reader> readers;
    readers.reserve(producers_.size());
    for (const auto& producer : producers_)
        readers.push_back(producer->ring_.reader());
    return readers;
}

} // namespace reef::pageviews
