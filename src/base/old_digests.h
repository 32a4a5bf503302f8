#pragma once

#include <string>
#include <string_view>

namespace reef {

/// MD5 (RFC 1321) and SHA-1 (RFC 3174), as hexadecimal digits in small letters. For pages and
/// protocols that ask for them by name; both are broken, nothing is protected by them.
std::string md5Hex(std::string_view text);
std::string sha1Hex(std::string_view text);

} // namespace reef
