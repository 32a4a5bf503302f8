#include "base/secret.h"

#include <sys/random.h>
#include <system_error>

#include <algorithm>
#include <cerrno>

namespace reef {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

void fillRandom(char* place, std::size_t bytes) {
    while (bytes != 0) {
        const ssize_t got = getrandom(place, bytes, 0);
        if (got < 0) {
            if (errno == EINTR) continue;
            throw std::system_error(errno, std::generic_category(), "getrandom");
        }
        place += got;
        bytes -= static_cast<std::size_t>(got);
    }
}

} // namespace

Secret randomSecret() {
    Secret secret;
    fillRandom(reinterpret_cast<char*>(secret.data()), secret.size());
    return secret;
}

std::string randomBytes(std::size_t bytes) {
    std::string out(bytes, '\0');
    fillRandom(out.data(), out.size());
    return out;
}

bool sameSecret(std::string_view a, std::string_view b) noexcept {
    if (a.size() != b.size()) return false;
    unsigned difference = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
    asm volatile("" : "+r"(difference)); // keeps the compiler from leaving the loop early
    return difference == 0;
}

std::string base64Url(std::string_view bytes) {
    std::string out;
    out.reserve((bytes.size() * 4 + 2) / 3);
    unsigned held = 0;
    unsigned bits = 0;
    for (const char c : bytes) {
        held = (held << 8U) | static_cast<unsigned char>(c);
        for (bits += 8; bits >= 6; bits -= 6)
            out += kAlphabet[(held >> (bits - 6)) & 63U];
    }
    if (bits != 0) out += kAlphabet[(held << (6 - bits)) & 63U];
    return out;
}

std::optional<std::string> fromBase64Url(std::string_view text) {
    if (text.size() % 4 == 1) return std::nullopt;
    std::string out;
    out.reserve(text.size() * 3 / 4);
    unsigned held = 0;
    unsigned bits = 0;
    for (const char c : text) {
        const auto value = kAlphabet.find(c);
        if (value == std::string_view::npos) return std::nullopt;
        held = (held << 6U) | static_cast<unsigned>(value);
        bits += 6;
        if (bits < 8) continue;
        bits -= 8;
        out += static_cast<char>((held >> bits) & 255U);
    }
    if ((held & ((1U << bits) - 1U)) != 0) return std::nullopt;
    return out;
}

} // namespace reef
