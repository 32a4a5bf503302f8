#pragma once

#include <array>
#include <ctime>
#include <optional>
#include <string_view>

namespace reef::http {

/// The text of an IMF-fixdate (RFC 9110 5.6.7): "Sun, 06 Nov 1994 08:49:37 GMT".
class DateText {
public:
    /// Seconds since 1970, UTC. Clamped to the years 0001..9999.
    explicit DateText(std::time_t time) noexcept;
    std::string_view view() const noexcept { return {text_.data(), text_.size()}; }

private:
    std::array<char, 29> text_;
};

/// Reads an HTTP-date in any of its three forms (IMF-fixdate, RFC 850, asctime), strictly. `now`
/// places the two digits of RFC 850 years: more than 50 years ahead means the century before.
/// Nothing: not a date.
std::optional<std::time_t> parseDate(std::string_view text, std::time_t now) noexcept;

} // namespace reef::http
