#pragma once

#include "compose/dialect.h"

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

namespace reef::compose {

/// Where the values of `$NAME` come from; a name may also be digits, for captures.
class VariableSource {
public:
    virtual std::optional<std::string> valueOf(std::string_view name) = 0;

protected:
    ~VariableSource() = default;
};

/// What becomes of a `$NAME` that has no value.
enum class Unknown : std::uint8_t {
    dropped,
    kept, ///< for a shell, which has variables of its own
};

/// Replaces `$NAME` and `${NAME}` in `text`.
///
/// Apache: a backslash before `$` makes it an ordinary one, and so does what is no name behind it;
/// from a `${` without `}` on the text is dropped. nginx: a backslash makes `$` and itself
/// ordinary, and a `$` without a name, or a `${` without `}`, is an error (a literal, for the log).
///
/// The result is `text` itself when it holds no `$` (and, with nginx, no backslash), else a view of
/// `scratch`.
std::expected<std::string_view, std::string_view> expand(std::string_view text, Dialect dialect,
                                                         VariableSource& source, Unknown unknown,
                                                         std::string& scratch);

/// What an expansion may grow to, in bytes; the rest is cut.
inline constexpr std::size_t kMaxExpanded = 1U << 20U;

} // namespace reef::compose
