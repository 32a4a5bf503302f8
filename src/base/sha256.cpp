#include "base/sha256.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

// Written here because it is the inner loop of every log-in: POCO's PBKDF2Engine hashes the key's
// two blocks again in each of its iterations, which doubles the time that a password costs us and
// not the time that it costs an attacker.
namespace reef {
namespace {

constexpr std::array<std::uint32_t, 64> kRound = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::uint32_t load(const std::uint8_t* bytes) noexcept {
    std::uint32_t word = 0;
    std::memcpy(&word, bytes, sizeof word);
    return std::endian::native == std::endian::little ? __builtin_bswap32(word) : word;
}

void store(std::uint8_t* bytes, std::uint32_t word) noexcept {
    if (std::endian::native == std::endian::little) word = __builtin_bswap32(word);
    std::memcpy(bytes, &word, sizeof word);
}

std::array<std::uint32_t, 64> scheduleOf(const std::uint8_t* block) noexcept {
    std::array<std::uint32_t, 64> w;
    for (std::size_t i = 0; i < 16; ++i)
        w[i] = load(block + 4 * i);
    for (std::size_t i = 16; i < 64; ++i) {
        const std::uint32_t a = w[i - 15];
        const std::uint32_t b = w[i - 2];
        w[i] = w[i - 16] + w[i - 7] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ (a >> 3U)) +
               (std::rotr(b, 17) ^ std::rotr(b, 19) ^ (b >> 10U));
    }
    return w;
}

} // namespace

void Sha256::compress(State& state, const std::uint8_t* block) noexcept {
    const auto w = scheduleOf(block);
    auto [a, b, c, d, e, f, g, h] = state;
    for (std::size_t i = 0; i < 64; ++i) {
        const std::uint32_t s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
        const std::uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + kRound[i] + w[i];
        const std::uint32_t s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
        const std::uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
        h = g;
        g = f;
        f = e;
        e = d + t1;
        d = c;
        c = b;
        b = a;
        a = t1 + t2;
    }
    const State worked = {a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < state.size(); ++i)
        state[i] += worked[i];
}

Digest Sha256::digestOf(const State& state) noexcept {
    Digest digest;
    for (std::size_t i = 0; i < state.size(); ++i)
        store(&digest[4 * i], state[i]);
    return digest;
}

void Sha256::update(std::string_view bytes) noexcept {
    while (!bytes.empty()) {
        const auto used = static_cast<std::size_t>(length_ % block_.size());
        const std::size_t count = std::min(block_.size() - used, bytes.size());
        std::memcpy(&block_[used], bytes.data(), count);
        length_ += count;
        bytes.remove_prefix(count);
        if (used + count == block_.size()) compress(state_, block_.data());
    }
}

Digest Sha256::finish() noexcept {
    const std::uint64_t bits = length_ * 8;
    update(std::string_view("\x80", 1));
    while (length_ % 64 != 56)
        update(std::string_view("\0", 1));
    store(&block_[56], static_cast<std::uint32_t>(bits >> 32U));
    store(&block_[60], static_cast<std::uint32_t>(bits));
    compress(state_, block_.data());
    return digestOf(state_);
}

Digest Sha256::of(std::string_view bytes) noexcept {
    Sha256 hash;
    hash.update(bytes);
    return hash.finish();
}

HmacSha256::HmacSha256(std::string_view key) noexcept {
    std::array<std::uint8_t, 64> block{};
    if (key.size() > block.size()) {
        const Digest shorter = Sha256::of(key);
        std::ranges::copy(shorter, block.begin());
    } else {
        std::ranges::copy(key, block.begin());
    }
    for (std::uint8_t& byte : block)
        byte ^= 0x36U;
    Sha256::compress(inner_, block.data());
    for (std::uint8_t& byte : block)
        byte ^= 0x36U ^ 0x5cU;
    Sha256::compress(outer_, block.data());
}

Digest HmacSha256::of(std::string_view message) const noexcept {
    Sha256 hash;
    hash.state_ = inner_;
    hash.length_ = 64;
    hash.update(message);
    const Digest inner = hash.finish();
    hash = Sha256();
    hash.state_ = outer_;
    hash.length_ = 64;
    hash.update(bytesOf(inner));
    return hash.finish();
}

Digest HmacSha256::of(const Digest& message) const noexcept {
    std::array<std::uint8_t, 64> block{};
    block[32] = 0x80;                                   // the padding of a message that began
    store(&block[60], static_cast<std::uint32_t>(768)); // with the key's block: 64 + 32 bytes
    std::ranges::copy(message, block.begin());
    Sha256::State state = inner_;
    Sha256::compress(state, block.data());
    const Digest inner = Sha256::digestOf(state);
    std::ranges::copy(inner, block.begin());
    state = outer_;
    Sha256::compress(state, block.data());
    return Sha256::digestOf(state);
}

Digest pbkdf2(std::string_view password, std::string_view salt, std::uint32_t iterations) {
    const HmacSha256 hmac(password);
    const std::string first = std::string(salt) + std::string("\0\0\0\1", 4);
    Digest u = hmac.of(std::string_view(first));
    Digest result = u;
    for (std::uint32_t i = 1; i < iterations; ++i) {
        u = hmac.of(u);
        for (std::size_t byte = 0; byte < result.size(); ++byte)
            result[byte] ^= u[byte];
    }
    return result;
}

} // namespace reef
