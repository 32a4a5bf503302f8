#pragma once

#include "compose/dialect.h"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace reef::compose {

/// A condition of `if` or `elif`, understood: a tree whose nodes stand in one list, each behind
/// those it refers to; the last one is the root.
struct Expression {
    enum class Kind : std::uint8_t {
        // Conditions, of conditions
        constant, ///< `text` is "" for false
        negation, ///< of left
        both,     ///< left and right
        either,
        // Conditions, of words
        filled,   ///< left is not empty
        compare,  ///< left with right, as texts or as numbers
        match,    ///< left with the regular expression right
        member,   ///< left is one of the list right
        test,     ///< `text` (a letter) of left
        relation, ///< `text` (a name such as "ipmatch") of left and right
        // Words
        literal,
        variable,       ///< of the page or the request, by the name `text`
        serverVariable, ///< `%{text}`
        function,       ///< `text` of left
        capture,        ///< `number` of the last match
        joined,         ///< left and right, one behind the other
        expanded,       ///< `text`, with `$NAME` in it to be replaced
        list,           ///< the word left, and the list right unless that is kNone
    };
    enum class Operator : std::uint8_t { equal, unequal, less, lessOrEqual, greater, atLeast };
    enum class Compare : std::uint8_t { texts, numbers };

    static constexpr std::uint16_t kNone = 0xffff;

    struct Node {
        Kind kind = Kind::constant;
        Operator relation = Operator::equal; ///< of compare
        Compare as = Compare::texts;
        bool negated = false;     ///< of match
        bool ignoresCase = false; ///< of match
        std::uint8_t number = 0;  ///< of capture
        std::uint16_t left = kNone;
        std::uint16_t right = kNone;
        std::string text;
    };

    std::vector<Node> nodes;
    /// Conditions are looked at even where the outcome is known: they may contain a match, whose
    /// captures the page reads later (Apache's legacy expressions).
    bool eager = false;
};

/// What cannot be understood, for the log.
using Parsed = std::expected<Expression, std::string>;

/// Bounds of one expression.
inline constexpr std::size_t kMaxNodes = 2000;
inline constexpr int kMaxExpressionDepth = 50; ///< of parentheses and negations

/// Reads an expression of ap_expr, as mod_include does with its restrictions: no tests or functions
/// that look at files. `$0` to `$9` are captures; `$NAME` is nothing.
Parsed parseApacheExpression(std::string_view text);

/// Reads an expression of mod_include before 2.4. `&&` and `||` bind alike, and to the right.
Parsed parseLegacyExpression(std::string_view text);

/// Reads an expression of nginx: a word, or a word, `=` or `!=`, and a text or `/regex/`. Letters
/// of the first word become small ones.
Parsed parseNginxExpression(std::string_view text);

Parsed parseExpression(std::string_view text, Dialect dialect);

} // namespace reef::compose
