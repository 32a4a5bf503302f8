#include "cache/store.h"

#include <algorithm>
#include <vector>

namespace reef::cache {

void Store::setLimit(ByteCount limit) {
    limit_ = limit;
    makeRoom();
}

std::shared_ptr<const Entry> Store::find(std::string_view key, TimePoint now) {
    const auto found = byKey_.find(key);
    if (found == byKey_.end()) return nullptr;
    const auto item = found->second;
    if (!item->entry->mayStandInForError(now)) {
        remove(item);
        return nullptr;
    }
    order_.splice(order_.begin(), order_, item);
    return item->entry;
}

bool Store::put(std::shared_ptr<const Entry> entry) {
    drop(entry->key);
    const ByteCount bytes = entry->bytes();
    if (bytes > limit_) return false;
    order_.push_front({std::move(entry), bytes, {}, {}});
    const auto item = order_.begin();
    item->path = list(item->entry->place.path, item);
    item->asked = list(item->entry->place.asked, item);
    byKey_.emplace(item->entry->key, item);
    bytes_ += bytes;
    if (item->entry->kind == Entry::Kind::answer) ++answers_;
    makeRoom();
    return true;
}

void Store::drop(std::string_view key) {
    if (const auto found = byKey_.find(key); found != byKey_.end()) remove(found->second);
}

std::size_t Store::purge(const Purge& which) {
    const auto before = answers_;
    if (which.path() != nullptr) {
        purgePath(which);
        return before - answers_;
    }
    for (auto item = order_.begin(); item != order_.end();) {
        const auto next = std::next(item);
        if (which.concerns(item->entry->place)) remove(item);
        item = next;
    }
    return before - answers_;
}

/// Whoever changes a path must not pay for all others.
void Store::purgePath(const Purge& which) {
    const auto found = byPath_.find(*which.path());
    if (found == byPath_.end()) return;
    std::vector<std::string_view> keys;
    for (const auto item : found->second)
        if (which.concerns(item->entry->place)) keys.push_back(item->entry->key);
    // One whose two paths are the same stands there twice.
    std::ranges::sort(keys);
    const auto twice = std::ranges::unique(keys);
    keys.erase(twice.begin(), twice.end());
    for (const std::string_view key : keys)
        drop(key);
}

Store::Listed Store::list(const std::string& path, Order::iterator item) {
    const auto found = byPath_.try_emplace(path).first;
    found->second.push_front(item);
    return {found, found->second.begin()};
}

void Store::unlist(const Listed& listed) {
    listed.path->second.erase(listed.place);
    if (listed.path->second.empty()) byPath_.erase(listed.path);
}

void Store::remove(Order::iterator item) {
    unlist(item->path);
    unlist(item->asked);
    bytes_ -= item->bytes;
    if (item->entry->kind == Entry::Kind::answer) --answers_;
    byKey_.erase(item->entry->key);
    order_.erase(item);
}

void Store::makeRoom() {
    while (bytes_ > limit_ && !order_.empty()) {
        const auto last = std::prev(order_.end());
        if (last->entry->kind == Entry::Kind::answer) ++evicted_;
        remove(last);
    }
}

} // namespace reef::cache
