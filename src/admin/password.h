#pragma once

#include "base/password_hash.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace reef::admin {

/// What is wrong with a new password, as a sentence for the person who chose it; nothing when it
/// is good: kLeastPasswordCharacters to kMostPasswordBytes, at least five different characters,
/// not made of the account's name.
std::optional<std::string> faultOfPassword(std::string_view password, std::string_view name);

inline constexpr std::size_t kLeastPasswordCharacters = 12;
inline constexpr std::size_t kMostPasswordBytes = 512;

} // namespace reef::admin
