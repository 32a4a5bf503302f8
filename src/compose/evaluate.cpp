#include "compose/evaluate.h"

#include "base/regex.h"
#include "base/text.h"
#include "compose/text_functions.h"
#include "compose/wildcard.h"

#include <algorithm>
#include <compare>

namespace reef::compose {

namespace {

using Kind = Expression::Kind;
using Operator = Expression::Operator;
using Node = Expression::Node;
using Index = std::uint16_t;

/// Texts of an expression that grow by captures in captures must end somewhere.
constexpr std::size_t kLongestText = 1U << 20U;

bool compares(Operator relation, std::strong_ordering order) noexcept {
    switch (relation) {
    case Operator::equal:
        return order == 0;
    case Operator::unequal:
        return order != 0;
    case Operator::less:
        return order < 0;
    case Operator::lessOrEqual:
        return order <= 0;
    case Operator::greater:
        return order > 0;
    case Operator::atLeast:
        return order >= 0;
    }
    return false;
}

/// As atoi(3): blanks, a sign, digits; without digits 0. Beyond the range: its end.
std::int64_t numberOf(std::string_view text) noexcept {
    const auto begin = text.find_first_not_of(" \t\n\v\f\r");
    text.remove_prefix(std::min(begin, text.size()));
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+')) text.remove_prefix(1);
    constexpr std::int64_t kLargest = 1'000'000'000'000'000'000;
    std::int64_t value = 0;
    for (; !text.empty() && text::isDigit(text.front()); text.remove_prefix(1)) {
        value = value * 10 + (text.front() - '0');
        if (value > kLargest / 10) return negative ? -kLargest : kLargest;
    }
    return negative ? -value : value;
}

/// `-T`.
bool isTrue(std::string_view text) noexcept {
    constexpr std::string_view kFalse[] = {"", "0", "off", "false", "no"};
    return std::ranges::none_of(
        kFalse, [text](std::string_view word) { return text::equalsIgnoreCase(text, word); });
}

class Evaluator {
public:
    Evaluator(const Expression& expression, ExpressionWorld& world, const Matched& last)
        : expression_(expression), world_(world), last_(last) {}

    bool holds(Index index) {
        if (!fault_.empty()) return false;
        const Node& node = expression_.nodes[index];
        switch (node.kind) {
        case Kind::constant:
            return !node.text.empty();
        case Kind::negation:
            return !holds(node.left);
        case Kind::both:
            return both(node);
        case Kind::either:
            return either(node);
        case Kind::filled:
            return !word(node.left).empty();
        case Kind::compare:
            return compare(node);
        case Kind::match:
            return match(node);
        case Kind::member:
            return member(node);
        case Kind::test:
            return test(node);
        case Kind::relation:
            return relation(node);
        default:
            return !word(index).empty();
        }
    }

    std::expected<bool, std::string> outcome(Matched& last) {
        const bool held = holds(static_cast<Index>(expression_.nodes.size() - 1));
        if (!fault_.empty()) return std::unexpected(std::move(fault_));
        if (matched_) last = std::move(last_);
        return held;
    }

private:
    bool both(const Node& node) {
        const bool left = holds(node.left);
        if (!left && !expression_.eager) return false;
        return holds(node.right) && left;
    }

    bool either(const Node& node) {
        const bool left = holds(node.left);
        if (left && !expression_.eager) return true;
        return holds(node.right) || left;
    }

    bool compare(const Node& node) {
        const auto left = word(node.left);
        const auto right = word(node.right);
        if (node.as == Expression::Compare::numbers)
            return compares(node.relation, numberOf(left) <=> numberOf(right));
        return compares(node.relation, left <=> right);
    }

    bool match(const Node& node) {
        const auto subject = word(node.left);
        const auto pattern = word(node.right);
        if (!fault_.empty()) return false;
        const auto regex =
            Regex::compile(pattern, node.ignoresCase ? Regex::Case::ignored : Regex::Case::matters);
        if (!regex)
            return fail(text::concat("the regular expression ", pattern, ": ",
                                     regex.error().message, " at ", regex.error().offset));
        Captures captures;
        const auto verdict = regex->search(subject, captures);
        if (verdict == Regex::Verdict::exhausted)
            return fail(
                text::concat("the regular expression ", pattern, " takes too long on its subject"));
        const bool found = verdict == Regex::Verdict::matched;
        if (found) remember(*regex, captures);
        if (!found && expression_.eager) forget();
        return found != node.negated;
    }

    void remember(const Regex& regex, const Captures& captures) {
        matched_ = true;
        for (std::size_t i = 0; i != Captures::kMax; ++i)
            last_.parts.at(i) = captures[i];
        last_.named.clear();
        for (const auto& [name, group] : regex.names())
            last_.named.emplace_back(name, captures[group]);
    }

    /// Apache's old parser keeps nothing of an earlier match when a later one fails.
    void forget() {
        matched_ = true;
        last_ = Matched();
    }

    bool member(const Node& node) {
        const auto wanted = word(node.left);
        for (Index item = node.right; item != Expression::kNone;
             item = expression_.nodes[item].right) {
            if (word(expression_.nodes[item].left) == wanted) return true;
        }
        return false;
    }

    bool test(const Node& node) {
        const auto operand = word(node.left);
        switch (node.text.front()) {
        case 'n':
            return !operand.empty();
        case 'z':
            return operand.empty();
        case 'T':
            return isTrue(operand);
        case 'R':
            return liesIn(world_.serverVariable("REMOTE_ADDR"), operand);
        case 'F':
            return isServedFile(operand);
        default:
            return world_.mayAccess(operand); // A, U
        }
    }

    /// A file by its absolute name: one of the site's documents that may be shown.
    bool isServedFile(std::string_view name) {
        const auto root = world_.serverVariable("DOCUMENT_ROOT");
        if (root.empty() || !name.starts_with(root)) return false;
        name.remove_prefix(root.size());
        return name.starts_with('/') && world_.mayAccess(name);
    }

    bool relation(const Node& node) {
        const auto left = word(node.left);
        const auto right = word(node.right);
        if (node.text == "ipmatch") return liesIn(left, right);
        if (node.text == "strmatch") return matchesWildcard(left, right, Wildcard::anything);
        if (node.text == "strcmatch")
            return matchesWildcard(text::toLower(left), text::toLower(right), Wildcard::anything);
        return matchesWildcard(left, right, Wildcard::path);
    }

    bool liesIn(std::string_view address, std::string_view network) {
        if (const auto inside = world_.lies(address, network)) return *inside;
        return fail(text::concat(network, " is no address and no network"));
    }

    std::string word(Index index) {
        if (!fault_.empty()) return {};
        const Node& node = expression_.nodes[index];
        switch (node.kind) {
        case Kind::literal:
            return node.text;
        case Kind::variable:
            return world_.variable(node.text).value_or("");
        case Kind::serverVariable:
            return world_.serverVariable(node.text);
        case Kind::function:
            return function(node);
        case Kind::capture:
            return last_.parts.at(node.number);
        case Kind::joined:
            return joined(node);
        case Kind::expanded:
            return expanded(node);
        default:
            return {};
        }
    }

    std::string joined(const Node& node) {
        auto text = word(node.left);
        text += word(node.right);
        if (text.size() > kLongestText) fail("a text grows too long");
        return text;
    }

    std::string expanded(const Node& node) {
        auto text = world_.expand(node.text, last_);
        if (text) return std::move(*text);
        fail(text.error());
        return {};
    }

    std::string function(const Node& node) {
        const auto argument = word(node.left);
        if (node.text == "v" || node.text == "reqenv" || node.text == "env")
            return world_.variable(argument).value_or("");
        if (node.text == "http" || node.text == "req" || node.text == "req_novary")
            return world_.requestField(argument);
        return applyTextFunction(node.text, argument);
    }

    bool fail(std::string_view what) {
        if (fault_.empty()) fault_ = what;
        return false;
    }

    const Expression& expression_;
    ExpressionWorld& world_;
    Matched last_;
    bool matched_ = false;
    std::string fault_;
};

} // namespace

std::expected<bool, std::string> evaluate(const Expression& expression, ExpressionWorld& world,
                                          Matched& last) {
    return Evaluator(expression, world, last).outcome(last);
}

Parsed parseExpression(std::string_view text, Dialect dialect) {
    switch (dialect) {
    case Dialect::apacheLegacy:
        return parseLegacyExpression(text);
    case Dialect::nginx:
        return parseNginxExpression(text);
    case Dialect::apache:
        break;
    }
    return parseApacheExpression(text);
}

} // namespace reef::compose
