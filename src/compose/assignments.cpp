#include "compose/assignments.h"

#include "base/text.h"

#include <algorithm>

namespace reef::compose {

namespace {

auto entryOf(auto& entries, std::string_view name) noexcept {
    return std::ranges::find_if(entries, [name](const Assignments::Entry& entry) {
        return text::equalsIgnoreCase(entry.first, name);
    });
}

} // namespace

std::optional<std::string_view> Assignments::find(std::string_view name) const noexcept {
    const auto entry = entryOf(entries_, name);
    if (entry == entries_.end()) return std::nullopt;
    return entry->second;
}

bool Assignments::set(std::string_view name, std::string_view value) {
    const auto entry = entryOf(entries_, name);
    const bool known = entry != entries_.end();
    const auto before = known ? entry->second.size() : 0;
    const auto after = bytes_ - before + value.size() + (known ? 0 : name.size());
    if (after > kMaxBytes || (!known && entries_.size() == kMaxNames)) return false;
    bytes_ = after;
    if (known) {
        entry->second = value;
    } else {
        entries_.emplace_back(name, value);
    }
    return true;
}

} // namespace reef::compose
