#include "base/old_digests.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

namespace reef {

namespace {

enum class ByteOrder : bool { little, big };

/// The text, a one bit, zeros, and the text's length in bits, in blocks of 64 bytes.
std::string padded(std::string_view text, ByteOrder order) {
    std::string out(text);
    out += '\x80';
    while (out.size() % 64 != 56)
        out += '\0';
    const std::uint64_t bits = std::uint64_t{text.size()} * 8;
    for (unsigned i = 0; i != 8; ++i) {
        const unsigned shift = 8 * (order == ByteOrder::little ? i : 7 - i);
        out += static_cast<char>(bits >> shift);
    }
    return out;
}

std::uint32_t wordAt(std::string_view bytes, std::size_t at, ByteOrder order) {
    std::uint32_t word = 0;
    for (std::size_t i = 0; i != 4; ++i) {
        const auto byte = static_cast<unsigned char>(bytes[at + i]);
        word |= std::uint32_t{byte} << (8 * (order == ByteOrder::little ? i : 3 - i));
    }
    return word;
}

template<std::size_t kCount>
std::string hex(const std::array<std::uint32_t, kCount>& words, ByteOrder order) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string out;
    for (const std::uint32_t word : words) {
        for (unsigned i = 0; i != 4; ++i) {
            const unsigned byte = word >> (8 * (order == ByteOrder::little ? i : 3 - i)) & 255U;
            out += {kDigits[byte >> 4U], kDigits[byte & 15U]};
        }
    }
    return out;
}

using Md5State = std::array<std::uint32_t, 4>;

/// RFC 1321 3.4: the integer part of 2^32 times abs(sin(i + 1)).
std::uint32_t sineConstant(unsigned step) {
    return static_cast<std::uint32_t>(std::floor(std::fabs(std::sin(step + 1.0)) * 4294967296.0));
}

void md5Block(Md5State& state, std::string_view block) {
    constexpr std::array<std::array<int, 4>, 4> kTurns{
        {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}}};
    auto [a, b, c, d] = state;
    for (unsigned step = 0; step != 64; ++step) {
        std::uint32_t mixed = 0;
        unsigned word = 0;
        switch (step / 16) {
        case 0:
            mixed = (b & c) | (~b & d);
            word = step;
            break;
        case 1:
            mixed = (b & d) | (c & ~d);
            word = 5 * step + 1;
            break;
        case 2:
            mixed = b ^ c ^ d;
            word = 3 * step + 5;
            break;
        default:
            mixed = c ^ (b | ~d);
            word = 7 * step;
            break;
        }
        const auto sum =
            a + mixed + sineConstant(step) + wordAt(block, word % 16 * 4, ByteOrder::little);
        a = std::exchange(d, std::exchange(c, b));
        b += std::rotl(sum, kTurns[step / 16][step % 4]);
    }
    state = {state[0] + a, state[1] + b, state[2] + c, state[3] + d};
}

using Sha1State = std::array<std::uint32_t, 5>;

void sha1Block(Sha1State& state, std::string_view block) {
    std::array<std::uint32_t, 80> words{};
    for (std::size_t i = 0; i != 16; ++i)
        words[i] = wordAt(block, i * 4, ByteOrder::big);
    for (std::size_t i = 16; i != 80; ++i)
        words[i] = std::rotl(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
    auto [a, b, c, d, e] = state;
    for (std::size_t i = 0; i != 80; ++i) {
        std::uint32_t mixed = b ^ c ^ d;
        if (i < 20) mixed = (b & c) | (~b & d);
        if (i >= 40 && i < 60) mixed = (b & c) | (b & d) | (c & d);
        constexpr std::array<std::uint32_t, 4> kConstants{0x5a827999, 0x6ed9eba1, 0x8f1bbcdc,
                                                          0xca62c1d6};
        const auto sum = std::rotl(a, 5) + mixed + e + words[i] + kConstants[i / 20];
        e = std::exchange(d, std::exchange(c, std::rotl(b, 30)));
        b = std::exchange(a, sum);
    }
    state = {state[0] + a, state[1] + b, state[2] + c, state[3] + d, state[4] + e};
}

template<class State>
void digest(State& state, std::string_view bytes, void (*block)(State&, std::string_view)) {
    for (std::size_t at = 0; at != bytes.size(); at += 64)
        block(state, bytes.substr(at, 64));
}

} // namespace

std::string md5Hex(std::string_view text) {
    Md5State state{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
    digest(state, padded(text, ByteOrder::little), md5Block);
    return hex(state, ByteOrder::little);
}

std::string sha1Hex(std::string_view text) {
    Sha1State state{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    digest(state, padded(text, ByteOrder::big), sha1Block);
    return hex(state, ByteOrder::big);
}

} // namespace reef
