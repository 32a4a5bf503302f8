#pragma once

#include "http/header_list.h"
#include "http/method.h"

#include <cstdint>
#include <ctime>
#include <optional>
#include <string_view>

namespace reef::http {

/// What is known of the selected representation (RFC 9110 8.8).
struct Validators {
    /// `entityTag` with its quotes and, when weak, `W/`; empty: it has none. `clock` is the time
    /// now.
    Validators(std::string_view entityTag, std::optional<std::time_t> modified,
               std::time_t clock) noexcept
        : etag(entityTag), lastModified(modified), now(clock) {}

    std::string_view etag;
    std::optional<std::time_t> lastModified;
    std::time_t now;
    bool exists = true; ///< false: nothing there yet (PUT of something new); decides `*`
};

enum class Precondition : std::uint8_t {
    proceed,
    notModified, ///< answer 304 with the validators
    failed       ///< answer 412
};

/// If-Match, If-Unmodified-Since, If-None-Match, If-Modified-Since in the order of RFC 9110 13.2.2.
/// Call it when the answer without conditions would be 2xx. A list of entity tags counts up to its
/// first malformed one; a malformed or repeated date does not count. Methods that select nothing
/// (CONNECT, OPTIONS, TRACE) proceed.
Precondition evaluate(Method method, const HeaderList& fields, const Validators& current) noexcept;

/// Whether a Range field may be applied (RFC 9110 13.1.5): no If-Range, or one that names this very
/// representation: the same strong entity tag, or the exact Last-Modified when that second has
/// passed.
bool ifRangeHolds(const HeaderList& fields, const Validators& current) noexcept;

/// RFC 9110 8.8.3.2; both with their quotes. An empty tag matches nothing.
bool strongMatch(std::string_view a, std::string_view b) noexcept;
bool weakMatch(std::string_view a, std::string_view b) noexcept;

} // namespace reef::http
