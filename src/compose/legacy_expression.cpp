// clang-format off: the header that this is a part of comes first
#include "compose/expression.h"
// clang-format on

#include "base/text.h"
#include "compose/expression_builder.h"

#include <optional>

namespace reef::compose {

namespace {

using Kind = Expression::Kind;
using Operator = Expression::Operator;
using Index = ExpressionBuilder::Index;

constexpr bool isSpace(char c) noexcept {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/// Splits the text into what mod_include's old parser sees.
class LegacyLexer {
public:
    enum class Sign : std::uint8_t {
        end,
        text,
        regex,
        open,
        close,
        negate,
        both,
        either,
        access,
        equal,
        unequal,
        less,
        lessOrEqual,
        greater,
        atLeast
    };

    explicit LegacyLexer(std::string_view text) : rest_(text) { next(); }

    Sign sign() const noexcept { return sign_; }
    const std::string& value() const noexcept { return value_; }

    void next() {
        while (!rest_.empty() && isSpace(rest_.front()))
            rest_.remove_prefix(1);
        value_.clear();
        sign_ = read();
    }

private:
    Sign read() {
        struct Spelling {
            std::string_view text;
            Sign sign;
        };
        static constexpr Spelling kSpellings[] = {
            {"==", Sign::equal},   {"=", Sign::equal},        {"!=", Sign::unequal},
            {"!", Sign::negate},   {"<=", Sign::lessOrEqual}, {"<", Sign::less},
            {">=", Sign::atLeast}, {">", Sign::greater},      {"&&", Sign::both},
            {"||", Sign::either},  {"(", Sign::open},         {")", Sign::close}};
        if (rest_.empty()) return Sign::end;
        for (const Spelling& spelling : kSpellings) {
            if (!rest_.starts_with(spelling.text)) continue;
            rest_.remove_prefix(spelling.text.size());
            return spelling.sign;
        }
        if (rest_.starts_with("-A") && (rest_.size() == 2 || isSpace(rest_[2]))) {
            rest_.remove_prefix(2);
            return Sign::access;
        }
        const bool path = sign_ == Sign::access; // which a regular expression cannot follow
        if (rest_.front() == '\'' || (rest_.front() == '/' && !path)) {
            const char quote = rest_.front();
            rest_.remove_prefix(1);
            readQuoted(quote);
            return quote == '/' ? Sign::regex : Sign::text;
        }
        readBare();
        return Sign::text;
    }

    /// One that does not end is empty, as it was in Apache.
    void readQuoted(char quote) {
        while (!rest_.empty() && rest_.front() != quote)
            takeByte();
        if (rest_.empty()) {
            value_.clear();
        } else {
            rest_.remove_prefix(1);
        }
    }

    void readBare() {
        do {
            takeByte();
        } while (!rest_.empty() && !endsBare());
    }

    bool endsBare() const noexcept {
        const char c = rest_.front();
        if (isSpace(c) || std::string_view("()=!<>").contains(c)) return true;
        return (c == '&' || c == '|') && rest_.size() > 1 && rest_[1] == c;
    }

    /// A backslash is dropped, and what follows it is taken as it is.
    void takeByte() {
        if (rest_.front() == '\\' && rest_.size() > 1) rest_.remove_prefix(1);
        value_ += rest_.front();
        rest_.remove_prefix(1);
    }

    std::string_view rest_;
    Sign sign_ = Sign::end;
    std::string value_;
};

using Sign = LegacyLexer::Sign;

std::optional<Operator> comparisonOf(Sign sign) noexcept {
    switch (sign) {
    case Sign::equal:
        return Operator::equal;
    case Sign::unequal:
        return Operator::unequal;
    case Sign::less:
        return Operator::less;
    case Sign::lessOrEqual:
        return Operator::lessOrEqual;
    case Sign::greater:
        return Operator::greater;
    case Sign::atLeast:
        return Operator::atLeast;
    default:
        return std::nullopt;
    }
}

/// condition := unit [ ("&&" | "||") condition ]
/// unit := "!" unit | "(" [ condition ] ")" | -A text | text [ comparison ]
class LegacyParser {
public:
    explicit LegacyParser(std::string_view text) : lexer_(text) {}

    Parsed parse() {
        if (lexer_.sign() == Sign::end) {
            builder_.add(Kind::constant);
            return builder_.take();
        }
        condition();
        if (lexer_.sign() != Sign::end) unexpected();
        return builder_.take();
    }

private:
    Index condition() {
        const ExpressionBuilder::Depth depth(builder_, depth_);
        if (builder_.failed()) return Expression::kNone;
        const Index left = unit();
        const Sign sign = lexer_.sign();
        if (builder_.failed() || (sign != Sign::both && sign != Sign::either)) return left;
        lexer_.next();
        const Index right = condition();
        return builder_.add(sign == Sign::both ? Kind::both : Kind::either, {}, left, right);
    }

    Index unit() {
        const ExpressionBuilder::Depth depth(builder_, depth_);
        if (builder_.failed()) return Expression::kNone;
        switch (lexer_.sign()) {
        case Sign::negate:
            return negation();
        case Sign::open:
            return group();
        case Sign::access:
            return access();
        case Sign::text:
            return comparison();
        default:
            return unexpected();
        }
    }

    /// `!` binds a word and nothing else: `!a = b` is wrong, `!(a = b)` is right. Alone, it denies
    /// nothing, which is true.
    Index negation() {
        lexer_.next();
        if (lexer_.sign() == Sign::end) return builder_.add(Kind::constant);
        if (lexer_.sign() != Sign::text) return builder_.add(Kind::negation, {}, unit());
        const Index operand = builder_.add(Kind::filled, {}, words());
        if (comparisonOf(lexer_.sign()))
            return builder_.wrong("! stands before a comparison; put it in parentheses");
        return builder_.add(Kind::negation, {}, operand);
    }

    Index group() {
        lexer_.next();
        Index inner = Expression::kNone;
        if (lexer_.sign() == Sign::close) {
            inner = builder_.add(Kind::constant, "true");
        } else {
            inner = condition();
        }
        if (lexer_.sign() != Sign::close) return builder_.wrong("a parenthesis is not closed");
        lexer_.next();
        return inner;
    }

    Index access() {
        lexer_.next();
        if (lexer_.sign() != Sign::text) return builder_.wrong("-A is followed by no path");
        return builder_.add(Kind::test, "A", words());
    }

    Index comparison() {
        const Index left = words();
        const auto relation = comparisonOf(lexer_.sign());
        if (!relation) return builder_.add(Kind::filled, {}, left);
        lexer_.next();
        if (lexer_.sign() == Sign::text)
            return builder_.compare(*relation, Expression::Compare::texts, left, words());
        const bool matches = *relation == Operator::equal || *relation == Operator::unequal;
        if (lexer_.sign() != Sign::regex || !matches) return unexpected();
        builder_.beEager();
        const Index regex = builder_.add(Kind::expanded, lexer_.value());
        lexer_.next();
        return builder_.match(left, regex, *relation == Operator::unequal, false);
    }

    /// Words and quoted texts that stand side by side are one text, with a blank between them.
    Index words() {
        std::string all = lexer_.value();
        for (lexer_.next(); lexer_.sign() == Sign::text; lexer_.next()) {
            if (!all.empty()) all += ' ';
            all += lexer_.value();
        }
        return builder_.add(Kind::expanded, all);
    }

    Index unexpected() {
        switch (lexer_.sign()) {
        case Sign::end:
            return builder_.wrong("the expression ends too early");
        case Sign::text:
            return builder_.wrong(text::concat("unexpected ", lexer_.value()));
        case Sign::regex:
            return builder_.wrong("a regular expression stands only behind = or !=");
        default:
            return builder_.wrong("an operator or parenthesis stands where none may");
        }
    }

    LegacyLexer lexer_;
    int depth_ = 0;
    ExpressionBuilder builder_;
};

} // namespace

Parsed parseLegacyExpression(std::string_view text) {
    return LegacyParser(text).parse();
}

} // namespace reef::compose
