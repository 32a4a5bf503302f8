#pragma once

#include "compose/expression.h"

#include <array>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace reef::compose {

/// What the last regular expression that matched has found; copies.
struct Matched {
    std::array<std::string, 10> parts;                      ///< the whole at 0
    std::vector<std::pair<std::string, std::string>> named; ///< groups that have a name
};

/// What an expression asks about the page, the request and the site.
class ExpressionWorld {
public:
    /// Of the page or the request: `v('NAME')`, `$NAME`. Nothing: there is none.
    virtual std::optional<std::string> variable(std::string_view name) = 0;

    /// `%{NAME}`; "" for what this server does not have.
    virtual std::string serverVariable(std::string_view name) = 0;

    /// A field of the request; "" when it is not there.
    virtual std::string requestField(std::string_view name) = 0;

    /// Whether the site would let the page's visitor see a URL path.
    virtual bool mayAccess(std::string_view path) = 0;

    /// Whether an address lies in a network. Nothing: the network is none.
    virtual std::optional<bool> lies(std::string_view address, std::string_view network) = 0;

    /// `text` with `$NAME` replaced. The error is for the log.
    virtual std::expected<std::string, std::string> expand(std::string_view text,
                                                           const Matched& last) = 0;

protected:
    ~ExpressionWorld() = default;
};

/// Whether the expression holds. `last` is what the last match found, and becomes what this
/// expression's own last match has found, if there is one and there is no error. The error is for
/// the log: a regular expression or a network that is none, or one that took too long.
std::expected<bool, std::string> evaluate(const Expression& expression, ExpressionWorld& world,
                                          Matched& last);

} // namespace reef::compose
