// clang-format off: the header that this is a part of comes first
#include "compose/expression.h"
// clang-format on

#include "base/text.h"
#include "compose/expression_builder.h"
#include "compose/expression_names.h"

#include <algorithm>
#include <array>
#include <optional>

namespace reef::compose {

namespace {

using Kind = Expression::Kind;
using Operator = Expression::Operator;
using Compare = Expression::Compare;
using Index = ExpressionBuilder::Index;

constexpr bool isNameByte(char c) noexcept {
    return text::isAlpha(c) || text::isDigit(c) || c == '_';
}

struct Comparison {
    std::string_view sign;
    Operator relation;
    Compare as;
};

/// Of two that begin alike the longer one stands first.
constexpr Comparison kSigns[] = {
    {"==", Operator::equal, Compare::texts},       {"!=", Operator::unequal, Compare::texts},
    {"<=", Operator::lessOrEqual, Compare::texts}, {">=", Operator::atLeast, Compare::texts},
    {"=", Operator::equal, Compare::texts},        {"<", Operator::less, Compare::texts},
    {">", Operator::greater, Compare::texts}};
constexpr Comparison kWords[] = {
    {"eq", Operator::equal, Compare::numbers},   {"ne", Operator::unequal, Compare::numbers},
    {"lt", Operator::less, Compare::numbers},    {"le", Operator::lessOrEqual, Compare::numbers},
    {"gt", Operator::greater, Compare::numbers}, {"ge", Operator::atLeast, Compare::numbers}};

/// Reads the text from its front, one method for each rule of the grammar:
///
///     condition := conjunction { ("||" | "or") conjunction }
///     conjunction := negated { ("&&" | "and") negated }
///     negated := ("!" | "not") negated | "(" condition ")" | "true" | "false"
///              | -LETTER word | word comparison
class ApacheParser {
public:
    explicit ApacheParser(std::string_view text) : rest_(text) {}

    Parsed parse() {
        condition();
        skipSpace();
        if (!rest_.empty()) wrongHere("unexpected");
        return builder_.take();
    }

private:
    Index condition() {
        const ExpressionBuilder::Depth depth(builder_, depth_);
        Index left = conjunction();
        while (!builder_.failed() && (take("||") || takeName("or")))
            left = builder_.add(Kind::either, {}, left, conjunction());
        return left;
    }

    Index conjunction() {
        Index left = negated();
        while (!builder_.failed() && (take("&&") || takeName("and")))
            left = builder_.add(Kind::both, {}, left, negated());
        return left;
    }

    Index negated() {
        const ExpressionBuilder::Depth depth(builder_, depth_);
        if (builder_.failed()) return Expression::kNone;
        if (take("!") || takeName("not")) return builder_.add(Kind::negation, {}, negated());
        if (take("(")) {
            const Index inner = condition();
            if (!take(")")) wrongHere("expected a closing parenthesis before");
            return inner;
        }
        if (takeName("true")) return builder_.add(Kind::constant, "true");
        if (takeName("false")) return builder_.add(Kind::constant);
        if (const auto letter = takeTest()) return test(*letter);
        return comparison(word());
    }

    Index test(char letter) {
        if (!isKnownTest(letter)) return builder_.wrong(text::concat("there is no test -", letter));
        if (isFileTest(letter))
            return builder_.wrong(
                text::concat("-", letter, " looks at files, which pages may not"));
        return builder_.add(Kind::test, std::string_view(&letter, 1), word());
    }

    Index comparison(Index left) {
        if (builder_.failed()) return left;
        skipSpace();
        if (take("=~")) return match(left, false);
        if (take("!~")) return match(left, true);
        for (const Comparison& sign : kSigns)
            if (take(sign.sign)) return builder_.compare(sign.relation, sign.as, left, word());
        const bool dash = rest_.starts_with('-');
        const auto name = nameAt(dash ? 1 : 0);
        for (const Comparison& known : kWords) {
            if (known.sign != name) continue;
            drop(name.size() + (dash ? 1 : 0));
            return builder_.compare(known.relation, known.as, left, word());
        }
        if (name == "in") {
            drop(name.size() + (dash ? 1 : 0));
            return builder_.add(Kind::member, {}, left, list());
        }
        if (!dash || name.size() < 2)
            return wrongHere("a text alone is no condition; expected an operator before");
        return relation(left, name);
    }

    Index relation(Index left, std::string_view name) {
        if (!isKnownRelation(name))
            return builder_.wrong(text::concat("there is no operator -", name));
        drop(name.size() + 1);
        return builder_.add(Kind::relation, name, left, word());
    }

    Index list() {
        if (!take("{")) return wrongHere("expected a list in { } before");
        const auto items = listRest();
        if (!take("}")) wrongHere("expected } before");
        return items;
    }

    Index listRest() {
        const ExpressionBuilder::Depth depth(builder_, depth_);
        const Index item = word();
        const Index more = !builder_.failed() && take(",") ? listRest() : Expression::kNone;
        return builder_.add(Kind::list, {}, item, more);
    }

    /// `/pattern/flags` or `m#pattern#flags`; there is no escape for the separator.
    Index match(Index left, bool negated) {
        constexpr std::string_view kSeparators = "/#$%^|?!'\",;:._-";
        skipSpace();
        char separator = '/';
        if (rest_.size() > 1 && rest_[0] == 'm' && kSeparators.contains(rest_[1])) {
            separator = rest_[1];
            drop(2);
        } else if (!take("/")) {
            return wrongHere("expected a regular expression, /.../ or m#...#, before");
        }
        const auto end = rest_.find(separator);
        if (end == std::string_view::npos)
            return builder_.wrong("the regular expression does not end");
        const auto pattern = rest_.substr(0, end);
        drop(end + 1);
        std::string options;
        bool ignoresCase = false;
        for (; !rest_.empty() && isNameByte(rest_.front()) && rest_.front() != '_'; drop(1)) {
            const char flag = rest_.front();
            if (flag == 'i') ignoresCase = true;
            if (flag == 's' || flag == 'm') options += flag;
            if (!std::string_view("ismg").contains(flag))
                return builder_.wrong(
                    text::concat("a regular expression has no flag ", flag, "; i, s, m, g"));
        }
        const auto full =
            options.empty() ? std::string(pattern) : text::concat("(?", options, ")", pattern);
        return builder_.match(left, builder_.add(Kind::literal, full), negated, ignoresCase);
    }

    Index word() {
        Index left = simpleWord();
        while (!builder_.failed() && take("."))
            left = builder_.add(Kind::joined, {}, left, simpleWord());
        return left;
    }

    Index simpleWord() {
        skipSpace();
        if (rest_.empty()) return builder_.wrong("the expression ends where a text is expected");
        const char c = rest_.front();
        if (c == '"' || c == '\'') {
            drop(1);
            const Index inner = textUpTo(c);
            if (!builder_.failed()) drop(1);
            return inner;
        }
        if (rest_.starts_with("%{")) return serverVariable();
        if (isCaptureAt(0)) return capture();
        if (c == '$')
            return builder_.wrong(text::concat("$", nameAt(1), " is nothing here; v('", nameAt(1),
                                               "') is the variable of the page"));
        if (const auto digits = numberAt(); !digits.empty()) {
            drop(digits.size());
            return builder_.add(Kind::literal, digits);
        }
        const auto name = nameAt(0);
        if (name.empty()) return wrongHere("unexpected");
        drop(name.size());
        if (!take("("))
            return builder_.wrong(text::concat(name, " is no function and no text; texts stand in "
                                                     "quotes"));
        const Index argument = word();
        if (!builder_.failed() && !take(")"))
            return wrongHere(text::concat(name, " takes one text; expected ) before"));
        return function(name, argument);
    }

    Index function(std::string_view name, Index argument) {
        if (isFileFunction(name))
            return builder_.wrong(text::concat(name, "() looks at files, which pages may not"));
        if (!isKnownFunction(name))
            return builder_.wrong(text::concat("there is no function ", name));
        return builder_.add(Kind::function, name, argument);
    }

    /// `%{NAME}` or `%{function:argument}`.
    Index serverVariable() {
        const ExpressionBuilder::Depth depth(builder_, depth_);
        if (builder_.failed()) return Expression::kNone;
        drop(2);
        const auto name = nameAt(0);
        drop(name.size());
        if (rest_.starts_with('}')) {
            drop(1);
            if (!isServerVariable(name))
                return builder_.wrong(text::concat("there is no %{", name, "} of the server; v('",
                                                   name, "') is the variable of the page"));
            return builder_.add(Kind::serverVariable, name);
        }
        if (!rest_.starts_with(':')) return builder_.wrong("%{ does not end in }");
        drop(1);
        const Index argument = textUpTo('}');
        if (builder_.failed()) return argument;
        drop(1);
        return function(name, argument);
    }

    /// What a text is made of, up to `end`, which stays.
    Index textUpTo(char end) {
        std::string plain;
        Index all = Expression::kNone;
        const auto append = [&](Index part) {
            all = all == Expression::kNone ? part : builder_.add(Kind::joined, {}, all, part);
        };
        const auto flush = [&] {
            if (!plain.empty()) append(builder_.add(Kind::literal, plain));
            plain.clear();
        };
        while (!builder_.failed()) {
            if (rest_.empty() || rest_.front() == '\n')
                return builder_.wrong("a text does not end");
            if (rest_.front() == end) break;
            if (isCaptureAt(0)) {
                flush();
                append(capture());
            } else if (rest_.starts_with("%{")) {
                flush();
                append(serverVariable());
            } else if (rest_.front() == '\\' && rest_.size() > 1) {
                plain += escape();
            } else {
                plain += rest_.front();
                drop(1);
            }
        }
        flush();
        return all == Expression::kNone ? builder_.add(Kind::literal) : all;
    }

    /// Of a backslash and what follows it.
    char escape() {
        drop(1);
        if (text::isDigit(rest_.front())) return octal();
        constexpr std::string_view kLetters = "nrtbf";
        constexpr std::string_view kMeant = "\n\r\t\b\f";
        const auto letter = kLetters.find(rest_.front());
        const char meant = letter == std::string_view::npos ? rest_.front() : kMeant[letter];
        drop(1);
        return meant;
    }

    char octal() {
        int value = 0;
        std::size_t digits = 0;
        while (digits != 3 && digits < rest_.size() && rest_[digits] >= '0' && rest_[digits] <= '7')
            value = value * 8 + (rest_[digits++] - '0');
        if (digits == 0 || value > 0xff) builder_.wrong("a bad escape sequence in a text");
        drop(digits);
        return static_cast<char>(value);
    }

    bool isCaptureAt(std::size_t at) const noexcept {
        return at + 1 < rest_.size() && rest_[at] == '$' && text::isDigit(rest_[at + 1]);
    }

    Index capture() {
        ExpressionBuilder::Node node;
        node.kind = Kind::capture;
        node.number = static_cast<std::uint8_t>(rest_[1] - '0');
        drop(2);
        return builder_.add(std::move(node));
    }

    std::string_view numberAt() const noexcept {
        std::size_t length = rest_.starts_with('-') ? 1 : 0;
        const auto sign = length;
        while (length < rest_.size() && text::isDigit(rest_[length]))
            ++length;
        return length == sign ? std::string_view() : rest_.substr(0, length);
    }

    /// A name: a letter, then letters, digits and underscores.
    std::string_view nameAt(std::size_t at) const noexcept {
        if (at >= rest_.size() || !text::isAlpha(rest_[at])) return {};
        std::size_t end = at;
        while (end < rest_.size() && isNameByte(rest_[end]))
            ++end;
        return rest_.substr(at, end - at);
    }

    bool takeName(std::string_view name) {
        skipSpace();
        if (nameAt(0) != name) return false;
        drop(name.size());
        return true;
    }

    /// `-x`, a letter alone.
    std::optional<char> takeTest() {
        if (!rest_.starts_with('-') || rest_.size() < 2 || !text::isAlpha(rest_[1]))
            return std::nullopt;
        if (rest_.size() > 2 && isNameByte(rest_[2])) return std::nullopt;
        const char letter = rest_[1];
        drop(2);
        return letter;
    }

    bool take(std::string_view sign) {
        skipSpace();
        if (!rest_.starts_with(sign)) return false;
        drop(sign.size());
        return true;
    }

    void skipSpace() {
        const auto begin = rest_.find_first_not_of(" \t\n");
        drop(begin == std::string_view::npos ? rest_.size() : begin);
    }

    void drop(std::size_t bytes) { rest_.remove_prefix(bytes); }

    Index wrongHere(std::string_view what) {
        constexpr std::size_t kShown = 20;
        return builder_.wrong(rest_.empty()
                                  ? text::concat(what, " the end of the expression")
                                  : text::concat(what, " `", rest_.substr(0, kShown), "`"));
    }

    std::string_view rest_;
    int depth_ = 0;
    ExpressionBuilder builder_;
};

} // namespace

Parsed parseApacheExpression(std::string_view text) {
    return ApacheParser(text).parse();
}

} // namespace reef::compose
