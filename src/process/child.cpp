#include "process/child.h"

#include <algorithm>
#include <utility>

namespace reef::process {

ChildRecord& ChildOwner::newRecord(std::chrono::milliseconds grace) {
    if (free_.empty()) {
        const auto id = static_cast<std::uint32_t>(records_.size());
        records_.push_back(std::make_unique<ChildRecord>(id));
        free_.push_back(id);
    }
    ChildRecord& record = *records_[free_.back()];
    free_.pop_back();
    record.free = false;
    record.held = true;
    record.ended = false;
    record.pid = 0;
    record.grace = grace;
    record.start = {};
    record.exit = fail(Error::unavailable);
    record.startKnown.clear();
    record.exitKnown.clear();
    ++running_;
    return record;
}

ChildRecord* ChildOwner::recordOf(std::uint32_t id) noexcept {
    if (id >= records_.size() || records_[id]->free || records_[id]->ended) return nullptr;
    return records_[id].get();
}

void ChildOwner::noteStart(ChildRecord& record, pid_t pid) noexcept {
    record.pid = pid;
    record.startKnown.set();
}

void ChildOwner::noteFailure(ChildRecord& record, StartFailure why) noexcept {
    record.start = std::unexpected(why);
    noteEnd(record);
}

void ChildOwner::noteExit(ChildRecord& record, const Result<Exit>& exit) noexcept {
    record.exit = exit;
    noteEnd(record);
}

void ChildOwner::noteEnd(ChildRecord& record) noexcept {
    record.ended = true;
    --running_;
    record.startKnown.set();
    record.exitKnown.set();
    if (!record.held) retire(record);
}

void ChildOwner::retire(ChildRecord& record) noexcept {
    record.free = true;
    free_.push_back(record.id);
}

/// The holder is gone: what still runs is to end, and its record waits for that.
void ChildOwner::letGo(ChildRecord& record) noexcept {
    record.held = false;
    if (record.ended) return retire(record);
    terminate(record, record.grace, {});
}

bool ChildOwner::holdsAny() const noexcept {
    return std::ranges::any_of(records_, [](const auto& record) { return record->held; });
}

Child::Child(Child&& other) noexcept
    : owner_(other.owner_), record_(std::exchange(other.record_, nullptr)) {}

Child& Child::operator=(Child&& other) noexcept {
    if (this == &other) return *this;
    letGo();
    owner_ = other.owner_;
    record_ = std::exchange(other.record_, nullptr);
    return *this;
}

void Child::letGo() noexcept {
    if (record_ != nullptr) owner_->letGo(*std::exchange(record_, nullptr));
}

pid_t Child::pid() const noexcept {
    return record_ != nullptr ? record_->pid : 0;
}

bool Child::running() const noexcept {
    return record_ != nullptr && !record_->ended;
}

ExitAwaiter Child::exited() noexcept {
    return ExitAwaiter(*record_);
}

void Child::terminate(std::chrono::milliseconds grace) {
    if (running()) owner_->terminate(*record_, grace, {});
}

void Child::endAll(std::chrono::milliseconds grace, std::string_view mark) {
    if (running()) owner_->terminate(*record_, grace, mark);
}

StartResult<Child> StartAwaiter::await_resume() noexcept {
    auto started = child_.record_->start;
    if (!started) return std::unexpected(started.error());
    return std::move(child_);
}

} // namespace reef::process
