#pragma once

#include "base/text.h"

#include <chrono>
#include <expected>
#include <optional>
#include <string_view>

/// What the attributes of `include` that are neither paths nor names may say. Errors are literals,
/// for the log.
namespace reef::compose {

/// "yes" or "no".
std::expected<bool, std::string_view> readYes(std::string_view text) noexcept;

/// `timeout`: from "1ms" to "1h".
std::expected<std::chrono::milliseconds, std::string_view> readTimeout(std::string_view text);

/// `ttl` and `stale`: whole seconds, from "0s" on.
std::expected<std::chrono::seconds, std::string_view> readLifetime(std::string_view text);

/// `retry`: further attempts, 0 to 5.
std::expected<unsigned, std::string_view> readRetries(std::string_view text);

/// Takes the first name off a list ("user, cart"): letters, digits and underscores. Nothing: the
/// list is empty. "" is no name.
std::optional<std::string_view> takeName(std::string_view& list) noexcept;

} // namespace reef::compose
