#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace reef {

/// Rounds of PBKDF2 for a new password: about half a second on a small machine, as much for each
/// guess of whoever steals the file. A stored hash names its own number, so this one may grow.
inline constexpr std::uint32_t kPasswordRounds = 600'000;

/// For the passwords of a site's visitors, which are checked on the way of a request.
inline constexpr std::uint32_t kSitePasswordRounds = 100'000;

/// The bounds of a stored hash's rounds: a damaged file must not keep a worker busy for hours.
inline constexpr std::uint32_t kMostPasswordRounds = 20'000'000;

/// Hashes a password with a new salt: "pbkdf2-sha256$600000$<salt>$<hash>", the last two in
/// base64url. Blocks: on a worker, never on a loop.
std::string hashPassword(std::string_view password, std::uint32_t rounds = kPasswordRounds);

/// Whether the password is the one behind `stored`, compared in constant time. False also when
/// `stored` is no such hash. Blocks like hashPassword.
bool verifyPassword(std::string_view password, std::string_view stored);

/// Whether this is the text of a hash that verifyPassword can read.
bool isPasswordHash(std::string_view stored);

} // namespace reef
