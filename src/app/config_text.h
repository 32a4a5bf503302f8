#pragma once

#include "app/config_error.h"

#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

namespace reef::app {

/// More than any site needs. What is larger is no file of settings.
inline constexpr std::size_t kMaxConfigBytes = std::size_t{1} << 20U;

/// Parts of one key ("a.b.c" has three). The parser of TOML calls itself for each, and once more to
/// let go of them: its stack is all that ends a longer one. Atoll's own keys have four at most.
inline constexpr std::size_t kMaxKeyParts = 16;

/// The text of `atoll.toml`; nothing: there is no such file. The error is a sentence for people:
/// no regular file, too large, not readable.
std::expected<std::optional<std::string>, ConfigError> readConfigText(const std::string& file);

/// What the parser of TOML must not see: a key of more than `kMaxKeyParts` parts, or a text of more
/// than `kMaxConfigBytes`. Pure.
std::optional<ConfigError> faultOfText(std::string_view text, const std::string& file);

} // namespace reef::app
