#include "http/header_list.h"

#include "base/text.h"

#include <algorithm>
#include <cstdint>

namespace reef::http {

namespace {

/// The length decides most of the time, and costs no call.
bool isNamed(const HeaderField& field, std::string_view name) noexcept {
    return field.name.size() == name.size() && text::equalsIgnoreCase(field.name, name);
}

} // namespace

bool listHasToken(std::string_view list, std::string_view token) noexcept {
    while (!list.empty()) {
        if (text::equalsIgnoreCase(text::trim(text::takeUntil(list, ',')), token)) return true;
    }
    return false;
}

void HeaderList::set(std::string_view name, std::string_view value) {
    const auto hasName = [&](const HeaderField& field) { return isNamed(field, name); };
    const auto first = std::ranges::find_if(fields_, hasName);
    if (first == fields_.end()) {
        add(name, value);
        return;
    }
    first->value = value;
    fields_.erase(std::remove_if(first + 1, fields_.end(), hasName), fields_.end());
}

std::size_t HeaderList::remove(std::string_view name) {
    return std::erase_if(fields_, [&](const HeaderField& field) { return isNamed(field, name); });
}

std::optional<std::string_view> HeaderList::find(std::string_view name) const noexcept {
    for (const HeaderField& field : fields_) {
        if (isNamed(field, name)) return field.value;
    }
    return std::nullopt;
}

std::size_t HeaderList::count(std::string_view name) const noexcept {
    return static_cast<std::size_t>(std::ranges::count_if(
        fields_, [&](const HeaderField& field) { return isNamed(field, name); }));
}

bool HeaderList::hasToken(std::string_view name, std::string_view token) const noexcept {
    return std::ranges::any_of(fields_, [&](const HeaderField& field) {
        return isNamed(field, name) && listHasToken(field.value, token);
    });
}

void HeaderList::relocate(const char* from, const char* to) noexcept {
    // As numbers: `from` may be freed memory, and pointers into it may no longer be compared or
    // subtracted.
    const auto shift =
        reinterpret_cast<std::uintptr_t>(to) - reinterpret_cast<std::uintptr_t>(from);
    const auto moved = [&](std::string_view text) {
        const auto place = reinterpret_cast<std::uintptr_t>(text.data()) + shift;
        return std::string_view(reinterpret_cast<const char*>(place), text.size());
    };
    for (HeaderField& field : fields_)
        field = {moved(field.name), moved(field.value)};
}

} // namespace reef::http
