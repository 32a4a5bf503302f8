// clang-format off: the header that this is a part of comes first
#include "compose/expression.h"
// clang-format on

#include "base/text.h"
#include "compose/expression_builder.h"

namespace reef::compose {

namespace {

using Kind = Expression::Kind;

constexpr bool standsInWord(char c) noexcept {
    return text::isAlpha(c) || text::isDigit(c) || std::string_view("${}_\"'").contains(c);
}

void skipBlanks(std::string_view& rest) noexcept {
    while (rest.starts_with(' '))
        rest.remove_prefix(1);
}

} // namespace

Parsed parseNginxExpression(std::string_view text) {
    ExpressionBuilder builder;
    auto rest = text;
    while (!rest.empty() && standsInWord(rest.front()))
        rest.remove_prefix(1);
    const auto word = text.substr(0, text.size() - rest.size());
    const auto left = builder.add(Kind::expanded, text::toLower(word));
    skipBlanks(rest);
    if (rest.empty()) {
        builder.add(Kind::filled, {}, left);
        return builder.take();
    }
    const bool negated = rest.starts_with("!=");
    if (!negated && !rest.starts_with('='))
        return std::unexpected(text::concat("expected = or != before `", rest, "`"));
    rest.remove_prefix(negated ? 2 : 1);
    skipBlanks(rest);
    if (!rest.starts_with('/')) {
        const auto right = builder.add(Kind::expanded, rest);
        builder.compare(negated ? Expression::Operator::unequal : Expression::Operator::equal,
                        Expression::Compare::texts, left, right);
        return builder.take();
    }
    if (rest.size() < 2 || !rest.ends_with('/'))
        return std::unexpected("the regular expression does not end in /");
    const auto regex = builder.add(Kind::expanded, rest.substr(1, rest.size() - 2));
    builder.match(left, regex, negated, false);
    return builder.take();
}

} // namespace reef::compose
