#include "compose/outline.h"

#include <algorithm>
#include <utility>

namespace reef::compose {

Outline::Outline() {
    restart();
}

void Outline::restart() {
    open();
    next_ = head_ = sections_.begin();
    textOwned_ = textLent_ = 0;
}

void Outline::open() {
    sections_.emplace_back();
    sections_.back().self = std::prev(sections_.end());
}

void Outline::append(std::string_view text) {
    sections_.back().text.append(bytesOf(text));
    textOwned_ += text.size();
}

void Outline::lend(ByteView text) {
    sections_.back().text.lend(text);
    textLent_ += text.size();
}

void Outline::own() {
    for (Section& section : sections_)
        section.text.own();
    textOwned_ += std::exchange(textLent_, 0);
}

Place& Outline::add(PlaceOwner& owner, const Inclusion& inclusion, std::size_t limit,
                    std::size_t least) {
    Place& place =
        sections_.back().fragment.emplace(owner, inclusion, limit, least, fragmentBytes_);
    open();
    return place;
}

Outline::Taken Outline::take(ByteQueue& out) {
    for (;;) {
        Section& section = sections_.front();
        textOwned_ -= section.text.owned();
        textLent_ -= section.text.lent();
        out.take(section.text);
        if (!section.fragment) return {};
        Place& place = *section.fragment;
        const auto before = out.size();
        place.take(out);
        if (!place.settled()) return {&place, out.size() - before};
        place.released(out.size() - before);
        leave(section);
    }
}

/// The first section has gone out.
void Outline::leave(Section& section) {
    if (head_ == section.self) ++head_;
    if (next_ == section.self) ++next_; // it was started before its turn
    if (section.atWork) {
        left_.splice(left_.end(), sections_, section.self);
    } else {
        sections_.pop_front();
    }
}

bool Outline::hasNext() noexcept {
    while (next_->started)
        ++next_;
    return next_ != std::prev(sections_.end());
}

Outline::Section& Outline::startNext() {
    Section& section = *next_++;
    section.started = section.atWork = true;
    return section;
}

Outline::Section& Outline::startLast() {
    Section& section = *std::prev(sections_.end(), 2);
    section.started = section.atWork = true;
    return section;
}

void Outline::concluded(Section& section) {
    section.atWork = false;
    // Still to go out: it stays. A list does not tell whose node an iterator is of, so it is looked
    // up; the list of those that have left is short.
    const auto found = std::ranges::find(left_, &section, [](Section& s) { return &s; });
    if (found != left_.end()) left_.erase(found);
}

bool Outline::empty() const noexcept {
    return sections_.size() == 1 && sections_.front().text.empty();
}

const Place* Outline::head() noexcept {
    while (head_->fragment && head_->fragment->settled())
        ++head_;
    return head_->fragment ? &*head_->fragment : nullptr;
}

void Outline::clear() {
    sections_.clear();
    left_.clear();
    restart();
}

} // namespace reef::compose
