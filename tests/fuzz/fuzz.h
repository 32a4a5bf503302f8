#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <span>
#include <string_view>

/// What fuzz targets share. A target is a function over bytes; it aborts when something does not
/// hold.
namespace reef::fuzz {

inline void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "does not hold: %s\n", what);
    std::abort();
}

/// Where a text is cut into pieces: decided by the text itself, so that a finding can be replayed.
class Cuts {
public:
    explicit Cuts(std::string_view text) {
        for (const char c : text)
            state_ = (state_ ^ static_cast<unsigned char>(c)) * 1099511628211U;
    }

    /// 1 to 16.
    std::size_t next() {
        state_ ^= state_ << 13U;
        state_ ^= state_ >> 7U;
        state_ ^= state_ << 17U;
        return 1 + state_ % 16;
    }

private:
    std::uint64_t state_ = 14695981039346656037U;
};

/// A copy in heap memory of exactly its size, so that the sanitizer sees a look behind its end.
class ExactCopy {
public:
    explicit ExactCopy(std::string_view text) : bytes_(new char[text.size()]), size_(text.size()) {
        std::ranges::copy(text, bytes_.get());
    }
    std::span<const char> view() const { return {bytes_.get(), size_}; }

private:
    std::unique_ptr<char[]> bytes_;
    std::size_t size_;
};

} // namespace reef::fuzz
