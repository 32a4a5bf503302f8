#include "process/string_list.h"

#include <algorithm>
#include <stdexcept>

namespace reef::process {

namespace {

void requireNoNul(std::string_view text) {
    if (text.find('\0') != std::string_view::npos)
        throw std::invalid_argument("a string for a child process holds a NUL");
}

} // namespace

bool StringListView::valid() const noexcept {
    if (bytes.empty()) return count == 0;
    if (bytes.back() != '\0') return false;
    return static_cast<std::uint64_t>(std::ranges::count(bytes, '\0')) == count;
}

void StringListView::pointers(std::vector<const char*>& pointers) const {
    pointers.clear();
    const char* place = bytes.data();
    for (std::uint32_t i = 0; i < count; ++i) {
        pointers.push_back(place);
        place += std::char_traits<char>::length(place) + 1;
    }
    pointers.push_back(nullptr);
}

void StringList::add(std::string_view text) {
    requireNoNul(text);
    bytes_.append(text);
    bytes_.push_back('\0');
    ++count_;
}

void StringList::add(std::string_view name, std::string_view value) {
    requireNoNul(name);
    requireNoNul(value);
    bytes_.append(name);
    bytes_.push_back('=');
    bytes_.append(value);
    bytes_.push_back('\0');
    ++count_;
}

} // namespace reef::process
