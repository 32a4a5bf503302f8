#include "base/password_hash.h"

#include "base/secret.h"
#include "base/text.h"

#include <optional>

namespace reef {
namespace {

constexpr std::string_view kScheme = "pbkdf2-sha256";
constexpr std::size_t kSaltBytes = 16;

struct StoredHash {
    std::uint32_t rounds = 0;
    std::string salt;
    std::string hash;
};

std::optional<StoredHash> parse(std::string_view stored) {
    if (text::takeUntil(stored, '$') != kScheme) return std::nullopt;
    const auto rounds = text::parseDecimal(text::takeUntil(stored, '$'));
    auto salt = fromBase64Url(text::takeUntil(stored, '$'));
    auto hash = fromBase64Url(stored);
    if (!rounds || *rounds == 0 || *rounds > kMostPasswordRounds) return std::nullopt;
    if (!salt || salt->size() < kSaltBytes || !hash || hash->size() != sizeof(Digest))
        return std::nullopt;
    return StoredHash{static_cast<std::uint32_t>(*rounds), std::move(*salt), std::move(*hash)};
}

} // namespace

std::string hashPassword(std::string_view password, std::uint32_t rounds) {
    const std::string salt = randomBytes(kSaltBytes);
    const Digest hash = pbkdf2(password, salt, rounds);
    return text::concat(kScheme, '$', rounds, '$', base64Url(salt), '$', base64Url(bytesOf(hash)));
}

bool verifyPassword(std::string_view password, std::string_view stored) {
    const auto parsed = parse(stored);
    if (!parsed) return false;
    return sameSecret(bytesOf(pbkdf2(password, parsed->salt, parsed->rounds)), parsed->hash);
}

bool isPasswordHash(std::string_view stored) {
    return parse(stored).has_value();
}

} // namespace reef
