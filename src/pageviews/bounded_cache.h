#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace reef::pageviews {

/// Remembers a value per text, in bounded memory whatever the texts are: a long key is not
/// remembered, and a full cache is emptied. (Traffic repeats itself so much that finding the oldest
/// entry would not pay.)
template<class Value>
class BoundedCache {
public:
    static constexpr std::size_t kMaxEntries = 4096;
    static constexpr std::size_t kMaxKeyBytes = 320;

    /// The value, or null. Valid until the next insert or clear.
    const Value* find(std::string_view key) const {
        const auto found = entries_.find(key);
        return found == entries_.end() ? nullptr : &found->second;
    }

    void insert(std::string_view key, Value value) {
        if (key.size() > kMaxKeyBytes) return;
        if (entries_.size() >= kMaxEntries) entries_.clear();
        entries_.insert_or_assign(std::string(key), std::move(value));
    }

    void clear() noexcept { entries_.clear(); }

private:
    struct Hash : std::hash<std::string_view> {
        using is_transparent = void;
    };
    std::unordered_map<std::string, Value, Hash, std::equal_to<>> entries_;
};

} // namespace reef::pageviews
