#pragma once

#include "base/sha256.h"

#include <optional>
#include <string>
#include <string_view>

namespace reef {

/// 256 bits that nobody can guess: a session id, a setup token, a key.
using Secret = Digest;

/// From the kernel (getrandom). Throws std::system_error when the kernel has none to give.
Secret randomSecret();

/// `bytes` random bytes, for a salt.
std::string randomBytes(std::size_t bytes);

/// Compares in a time that depends on the lengths alone.
bool sameSecret(std::string_view a, std::string_view b) noexcept;

/// Base64 with the alphabet of RFC 4648 5, without padding: fits in cookies, links and forms.
std::string base64Url(std::string_view bytes);

/// Strict inverse: other characters, lengths that cannot be, and stray bits give nothing.
std::optional<std::string> fromBase64Url(std::string_view text);

} // namespace reef
