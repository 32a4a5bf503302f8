#include "base/text.h"
#include "compose/evaluate.h"
#include "compose/expression.h"
#include "compose/targets.h"
#include "fuzz.h"

#include <string>

namespace reef::fuzz {

namespace {

using namespace compose;

class World final : public ExpressionWorld {
public:
    std::optional<std::string> variable(std::string_view name) override {
        if (name.size() % 3 == 0) return std::nullopt;
        return std::string(name) + name[0];
    }
    std::string serverVariable(std::string_view name) override { return std::string(name); }
    std::string requestField(std::string_view name) override { return std::string(name); }
    bool mayAccess(std::string_view path) override { return path.size() % 2 == 0; }
    std::optional<bool> lies(std::string_view address, std::string_view network) override {
        if (network.empty()) return std::nullopt;
        return address == network;
    }
    std::expected<std::string, std::string> expand(std::string_view text,
                                                   const Matched& last) override {
        if (text.contains('}')) return std::unexpected("no");
        return text.contains('$') ? std::string(text) + last.parts[1] : std::string(text);
    }
};

void checkTree(const Expression& expression) {
    require(!expression.nodes.empty(), "there is a root");
    require(expression.nodes.size() <= kMaxNodes, "an expression is bounded");
    for (std::size_t i = 0; i != expression.nodes.size(); ++i) {
        const auto& node = expression.nodes[i];
        require(node.left == Expression::kNone || node.left < i, "parts stand before the whole");
        require(node.right == Expression::kNone || node.right < i, "parts stand before the whole");
    }
}

/// One more pair of parentheses changes nothing.
void checkParentheses(std::string_view text, Dialect dialect, bool held) {
    const auto wrapped = parseExpression(text::concat("(", text, ")"), dialect);
    if (!wrapped) return; // too deep
    World world;
    Matched last;
    const auto outcome = evaluate(*wrapped, world, last);
    require(outcome && *outcome == held, "parentheses around all of it change nothing");
}

} // namespace

void ssiExpression(std::string_view input) {
    if (input.empty()) return;
    constexpr Dialect kDialects[] = {Dialect::apache, Dialect::apacheLegacy, Dialect::nginx};
    const Dialect dialect = kDialects[static_cast<unsigned char>(input.front()) % 3];
    const ExactCopy copy(input.substr(1));
    const std::string_view text(copy.view().data(), copy.view().size());
    const auto expression = parseExpression(text, dialect);
    if (!expression) {
        require(!expression.error().empty(), "an error says what is wrong");
        return;
    }
    checkTree(*expression);
    World world;
    Matched last;
    last.parts[1] = "before";
    const auto first = evaluate(*expression, world, last);
    if (!first) {
        require(!first.error().empty(), "an error says what is wrong");
        require(last.parts[1] == "before" && last.parts[0].empty(), "an error keeps the captures");
        return;
    }
    Matched again;
    again.parts[1] = "before";
    const auto second = evaluate(*expression, world, again);
    require(second && *second == *first, "the same expression holds the second time");
    require(again.parts == last.parts, "and finds the same");
    const bool blank = text.find_first_not_of(" \t\n\v\f\r") == std::string_view::npos;
    const bool asks = text.contains('$') || text.contains('%'); // for what the last match found
    const bool closed = !text.contains('\'') && !text.contains('/') && !text.contains('\\');
    if (dialect != Dialect::nginx && !blank && !asks && closed)
        checkParentheses(text, dialect, *first);
}

} // namespace reef::fuzz
