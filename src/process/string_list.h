#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace reef::process {

/// Strings as execve wants them in memory: one behind the other, a NUL after each. A view: it
/// counts as a reference.
struct StringListView {
    std::string_view bytes; ///< `count` strings, each with its NUL
    std::uint32_t count = 0;

    /// Whether the bytes are exactly `count` strings that end in NUL.
    bool valid() const noexcept;

    /// Replaces `pointers` by a pointer to each string and a null pointer at the end.
    void pointers(std::vector<const char*>& pointers) const;

    friend bool operator==(const StringListView&, const StringListView&) = default;
};

/// An argument list or an environment under construction. Goes into a spawn request as it is, so
/// building it costs no allocation for each string.
class StringList {
public:
    StringList() = default;
    StringList(std::initializer_list<std::string_view> strings) {
        for (const auto text : strings)
            add(text);
    }

    /// Throws std::invalid_argument when the text holds a NUL: it would end the string early and
    /// smuggle in another one. Check input at the edge.
    void add(std::string_view text);

    /// Adds `name=value`.
    void add(std::string_view name, std::string_view value);

    void clear() noexcept {
        bytes_.clear();
        count_ = 0;
    }
    void reserve(std::size_t bytes) { bytes_.reserve(bytes); }
    std::uint32_t count() const noexcept { return count_; }

    /// Valid until the next change.
    StringListView view() const noexcept { return {bytes_, count_}; }

private:
    std::string bytes_;
    std::uint32_t count_ = 0;
};

} // namespace reef::process
