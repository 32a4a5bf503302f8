#include "gateway/admission.h"

#include <utility>

namespace reef::gateway {

/// One island that is to run, from its asking until its permit is given back.
struct Admission::Place final : AdmissionQueue::Entry {
    Place(LoopAdmission& loop, Share share, const std::optional<io::HostBits>& client)
        : Entry(share, client), owner(loop) {}

    LoopAdmission& owner;
    LoopAdmission::Awaiter* awaiter = nullptr;
    Place* next = nullptr; ///< in the loop's list of those to be told
};

void Admission::use(const AdmissionLimits& limits) {
    const std::lock_guard lock(mutex_);
    queue_.use(limits);
}

Admission::Counts Admission::counts() const {
    const std::lock_guard lock(mutex_);
    return {queue_.running(Share::client) + queue_.running(Share::fragment),
            queue_.waiting(Share::client) + queue_.waiting(Share::fragment), waited_, refused_};
}

/// The lock is held, by a thread that may be another loop's: the waiter's own loop wakes it.
void Admission::settled(AdmissionQueue::Entry& entry) noexcept {
    auto& place = static_cast<Place&>(entry);
    LoopAdmission& loop = place.owner;
    place.next = std::exchange(loop.settled_, &place);
    if (place.next == nullptr) loop.loop_.post([&loop] { loop.deliver(); });
}

LoopAdmission::Awaiter LoopAdmission::enter(Share share, const std::optional<io::HostBits>& client,
                                            std::span<IslandGroup* const> groups) {
    auto place = std::make_unique<Admission::Place>(
        *this, share, client ? std::optional(io::customerOf(*client)) : std::nullopt);
    for (IslandGroup* const group : groups)
        place->join(*group);
    return Awaiter(*this, std::move(place));
}

void LoopAdmission::deliver() {
    const std::lock_guard lock(shared_.mutex_);
    for (Admission::Place* place = std::exchange(settled_, nullptr); place != nullptr;) {
        Admission::Place* const next = std::exchange(place->next, nullptr);
        place->awaiter->disarm();
        coro::ReadyQueue::current().push(*place->awaiter);
        place = next;
    }
}

void LoopAdmission::takeBack(void* token) noexcept {
    const std::unique_ptr<Admission::Place> place(static_cast<Admission::Place*>(token));
    const std::lock_guard lock(shared_.mutex_);
    shared_.queue_.leave(*place);
}

LoopAdmission::Awaiter::Awaiter(LoopAdmission& owner,
                                std::unique_ptr<Admission::Place> place) noexcept
    : owner_(owner), place_(std::move(place)) {
    place_->awaiter = this;
}

LoopAdmission::Awaiter::~Awaiter() {
    if (!place_) return;
    const std::lock_guard lock(owner_.shared_.mutex_);
    for (Admission::Place** each = &owner_.settled_; *each != nullptr; each = &(*each)->next) {
        if (*each != place_.get()) continue;
        *each = place_->next;
        break;
    }
    owner_.shared_.queue_.leave(*place_);
}

bool LoopAdmission::Awaiter::await_ready() {
    using State = AdmissionQueue::Entry::State;
    const std::lock_guard lock(owner_.shared_.mutex_);
    const State state = owner_.shared_.queue_.ask(*place_);
    patience_ = owner_.shared_.queue_.limits().patience;
    if (state == State::waiting) ++owner_.shared_.waited_;
    return state != State::waiting;
}

/// By now it may have been settled; but it is told at a later turn of this loop.
void LoopAdmission::Awaiter::await_suspend(std::coroutine_handle<> waiter) {
    waiter_ = waiter;
    owner_.loop_.arm(*this, patience_);
}

void LoopAdmission::Awaiter::expired() {
    {
        const std::lock_guard lock(owner_.shared_.mutex_);
        if (place_->state() != AdmissionQueue::Entry::State::waiting) return; // it is told soon
        owner_.shared_.queue_.leave(*place_);
        refusal_ = Refusal::tooLate;
    }
    waiter_.resume();
}

std::expected<coro::Permit, Refusal> LoopAdmission::Awaiter::await_resume() {
    using State = AdmissionQueue::Entry::State;
    const std::lock_guard lock(owner_.shared_.mutex_);
    if (place_->state() == State::running) return coro::Permit(owner_, place_.release());
    ++owner_.shared_.refused_;
    return std::unexpected(place_->state() == State::displaced ? Refusal::displaced : refusal_);
}

std::string_view describe(Refusal refusal) noexcept {
    switch (refusal) {
    case Refusal::full:
        return "as many islands wait for their turn as may (`island_queue`)";
    case Refusal::displaced:
        return "its place in the queue went to another client, who has fewer waiting "
               "(`island_queue`)";
    case Refusal::tooLate:
        break;
    }
    return "its turn did not come in time (`island_queue_timeout`)";
}

} // namespace reef::gateway
