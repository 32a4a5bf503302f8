#include "gateway/admission_queue.h"

#include <algorithm>
#include <span>

namespace reef::gateway {

using Entry = AdmissionQueue::Entry;

void AdmissionQueue::append(List& list, Link& link) noexcept {
    link.previous = list.previous;
    link.next = &list;
    list.previous->next = &link;
    list.previous = &link;
}

void AdmissionQueue::unlink(Link& link) noexcept {
    link.previous->next = link.next;
    link.next->previous = link.previous;
    link.previous = link.next = nullptr;
}

AdmissionQueue::Turn& AdmissionQueue::turnOf(const Entry& entry) noexcept {
    return entry.client_->turns[at(entry.share_)];
}

bool AdmissionQueue::hasFreePlace(const Client& client, Share share) const noexcept {
    const bool unbounded = limits_.perClient == 0 || !client.address;
    return unbounded || client.turns[at(share)].running < limits_.perClient;
}

bool AdmissionQueue::mayRun(const Entry& entry) noexcept {
    const std::size_t share = at(entry.share_);
    if (lanes_[share].running >= limits_.running) return false;
    if (!hasFreePlace(*entry.client_, entry.share_)) return false;
    const std::span groups(entry.groups_.data(), entry.groupCount_);
    return std::ranges::all_of(
        groups, [share](const IslandGroup* group) { return group->running_[share] < group->most; });
}

/// Whoever waits cannot run: each change lets all run that can. So a newcomer that can overtakes
/// nobody who could.
Entry::State AdmissionQueue::ask(Entry& entry) {
    auto& client = clients_[entry.from_];
    client.address = entry.from_;
    entry.client_ = &client;
    if (mayRun(entry)) {
        admit(entry);
    } else if (lanes_[at(entry.share_)].waiting < limits_.waiting || displaceFor(entry)) {
        enqueue(entry);
    } else {
        forgetIfIdle(client);
    }
    return entry.state_;
}

void AdmissionQueue::admit(Entry& entry) noexcept {
    entry.state_ = Entry::State::running;
    ++lanes_[at(entry.share_)].running;
    ++turnOf(entry).running;
    for (std::size_t i = 0; i != entry.groupCount_; ++i)
        ++entry.groups_[i]->running_[at(entry.share_)];
}

void AdmissionQueue::enqueue(Entry& entry) noexcept {
    Lane& lane = lanes_[at(entry.share_)];
    Turn& turn = turnOf(entry);
    turn.client = entry.client_;
    if (turn.waiting++ == 0) append(lane.ring, turn);
    append(turn.waiters, entry);
    ++lane.waiting;
    entry.state_ = Entry::State::waiting;
}

void AdmissionQueue::dequeue(Entry& entry) noexcept {
    Turn& turn = turnOf(entry);
    unlink(entry);
    if (--turn.waiting == 0) unlink(turn);
    --lanes_[at(entry.share_)].waiting;
    entry.state_ = Entry::State::outside;
}

/// Whether the client with the most waiting has lost its latest, for one that has fewer.
bool AdmissionQueue::displaceFor(const Entry& newcomer) noexcept {
    Lane& lane = lanes_[at(newcomer.share_)];
    Turn* longest = nullptr;
    for (Link* link = lane.ring.next; link != &lane.ring; link = link->next) {
        auto* const turn = static_cast<Turn*>(link);
        if (longest == nullptr || turn->waiting > longest->waiting) longest = turn;
    }
    if (longest == nullptr || longest->waiting <= turnOf(newcomer).waiting + 1) return false;
    auto& latest = static_cast<Entry&>(*longest->waiters.previous);
    dequeue(latest);
    latest.state_ = Entry::State::displaced;
    forgetIfIdle(*latest.client_);
    listener_.settled(latest);
    return true;
}

void AdmissionQueue::leave(Entry& entry) {
    const Share share = entry.share_;
    if (entry.state_ == Entry::State::waiting) {
        dequeue(entry);
        forgetIfIdle(*entry.client_);
    } else if (entry.state_ == Entry::State::running) {
        entry.state_ = Entry::State::outside;
        --lanes_[at(share)].running;
        --turnOf(entry).running;
        for (std::size_t i = 0; i != entry.groupCount_; ++i)
            --entry.groups_[i]->running_[at(share)];
        forgetIfIdle(*entry.client_);
        admitWaiters(share);
    }
}

void AdmissionQueue::use(const AdmissionLimits& limits) {
    limits_ = limits;
    admitWaiters(Share::client);
    admitWaiters(Share::fragment);
}

/// The first that can run: of the client whose turn it is, or of those behind it.
Entry* AdmissionQueue::nextOf(Lane& lane, Share share) noexcept {
    for (Link* link = lane.ring.next; link != &lane.ring; link = link->next) {
        auto& turn = static_cast<Turn&>(*link);
        if (!hasFreePlace(*turn.client, share)) continue;
        for (Link* waiter = turn.waiters.next; waiter != &turn.waiters; waiter = waiter->next) {
            auto& entry = static_cast<Entry&>(*waiter);
            if (mayRun(entry)) return &entry;
        }
    }
    return nullptr;
}

void AdmissionQueue::admitWaiters(Share share) noexcept {
    Lane& lane = lanes_[at(share)];
    while (lane.waiting != 0 && lane.running < limits_.running) {
        Entry* const entry = nextOf(lane, share);
        if (entry == nullptr) return;
        dequeue(*entry);
        admit(*entry);
        Turn& turn = turnOf(*entry);
        if (turn.waiting != 0) { // its next one comes after everybody else's
            unlink(turn);
            append(lane.ring, turn);
        }
        listener_.settled(*entry);
    }
}

void AdmissionQueue::forgetIfIdle(Client& client) noexcept {
    for (const Turn& turn : client.turns)
        if (turn.running != 0 || turn.waiting != 0) return;
    const auto address = client.address; // the client goes with it
    clients_.erase(address);
}

} // namespace reef::gateway
