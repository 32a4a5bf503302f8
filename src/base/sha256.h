#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace reef {

/// A SHA-256 value. Compare secrets with `sameSecret` (secret.h), not with ==.
using Digest = std::array<std::uint8_t, 32>;

inline std::string_view bytesOf(const Digest& digest) noexcept {
    return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

/// SHA-256 (FIPS 180-4), in pieces: update any number of times, then finish once.
class Sha256 {
public:
    void update(std::string_view bytes) noexcept;
    Digest finish() noexcept;

    static Digest of(std::string_view bytes) noexcept;

private:
    friend class HmacSha256;
    using State = std::array<std::uint32_t, 8>;
    static constexpr State kStart = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                     0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

    static void compress(State& state, const std::uint8_t* block) noexcept;
    static Digest digestOf(const State& state) noexcept;

    State state_ = kStart;
    std::array<std::uint8_t, 64> block_{};
    std::uint64_t length_ = 0; ///< bytes so far
};

/// HMAC-SHA-256 (RFC 2104) with one key: the key's two blocks are hashed once, here.
class HmacSha256 {
public:
    explicit HmacSha256(std::string_view key) noexcept;
    Digest of(std::string_view message) const noexcept;

    /// HMAC of a message of exactly one digest: two compressions, the inner loop of PBKDF2.
    Digest of(const Digest& message) const noexcept;

private:
    Sha256::State inner_ = Sha256::kStart;
    Sha256::State outer_ = Sha256::kStart;
};

/// PBKDF2-HMAC-SHA-256 (RFC 8018 5.2) with 32 bytes of output. `iterations` is at least 1. Blocks
/// for hundreds of milliseconds at password strength: never on an event loop.
Digest pbkdf2(std::string_view password, std::string_view salt, std::uint32_t iterations);

} // namespace reef
