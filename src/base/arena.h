#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <memory_resource>
#include <string_view>

namespace reef {

/// Memory of one request: handed out by moving a pointer, given back all at once by `release()`.
/// The first `kInlineBytes` are part of the object; more comes from malloc until the next release.
/// Not thread-safe. Containers use it as `std::pmr::vector<T>(&arena)`.
class Arena final : public std::pmr::memory_resource {
public:
    static constexpr std::size_t kInlineBytes = 6144;

    Arena() = default;
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;

    /// A copy of `text` that lives until the release.
    std::string_view copy(std::string_view text) {
        if (text.empty()) return {};
        char* place = static_cast<char*>(pool_.allocate(text.size(), 1));
        std::memcpy(place, text.data(), text.size());
        return {place, text.size()};
    }

    /// Room for `bytes` characters that lives until the release.
    char* room(std::size_t bytes) {
        return static_cast<char*>(pool_.allocate(bytes == 0 ? 1 : bytes, 1));
    }

    /// Everything handed out becomes invalid; nothing is destroyed.
    void release() noexcept { pool_.release(); }

private:
    void* do_allocate(std::size_t bytes, std::size_t alignment) override {
        return pool_.allocate(bytes, alignment);
    }
    void do_deallocate(void*, std::size_t, std::size_t) override {}
    bool do_is_equal(const memory_resource& other) const noexcept override {
        return this == &other;
    }

    alignas(std::max_align_t) std::array<std::byte, kInlineBytes> inline_;
    std::pmr::monotonic_buffer_resource pool_{inline_.data(), inline_.size()};
};

} // namespace reef
