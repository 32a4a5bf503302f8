#include "admin/password.h"

#include "admin/secret.h"
#include "base/text.h"

#include <set>

namespace reef::admin {
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

/// Code points, if it is UTF-8; a byte of a stray sequence counts at most as one.
std::size_t charactersIn(std::string_view text) {
    std::size_t count = 0;
    for (const char c : text)
        count += (static_cast<unsigned char>(c) & 0xc0U) != 0x80U ? 1 : 0;
    return count;
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

std::optional<std::string> faultOfPassword(std::string_view password, std::string_view name) {
    if (charactersIn(password) < kLeastPasswordCharacters)
        return text::concat("The password needs at least ", kLeastPasswordCharacters,
                            " characters. Four or five random words are a good one.");
    if (password.size() > kMostPasswordBytes)
        return text::concat("The password is longer than ", kMostPasswordBytes, " bytes.");
    if (std::set<char>(password.begin(), password.end()).size() < 5)
        return "The password repeats too few different characters.";
    const std::string lower = text::toLower(password);
    if (name.size() >= 3 && lower.find(text::toLower(name)) != std::string::npos)
        return "The password holds the name of the account.";
    return std::nullopt;
}

} // namespace reef::admin
