#pragma once

#include "compose/expression.h"

#include <utility>

namespace reef::compose {

/// Puts an expression together for a parser, within the bounds. The first thing that is wrong
/// stays; what is built after it does not matter.
class ExpressionBuilder {
public:
    using Node = Expression::Node;
    using Kind = Expression::Kind;
    using Index = std::uint16_t;

    Index add(Node node) {
        if (expression_.nodes.size() == kMaxNodes) return wrong("the expression is too long");
        expression_.nodes.push_back(std::move(node));
        return static_cast<Index>(expression_.nodes.size() - 1);
    }

    Index add(Kind kind, std::string_view text = {}, Index left = Expression::kNone,
              Index right = Expression::kNone) {
        Node node;
        node.kind = kind;
        node.text = text;
        node.left = left;
        node.right = right;
        return add(std::move(node));
    }

    Index compare(Expression::Operator relation, Expression::Compare as, Index left, Index right) {
        Node node;
        node.kind = Kind::compare;
        node.relation = relation;
        node.as = as;
        node.left = left;
        node.right = right;
        return add(std::move(node));
    }

    Index match(Index left, Index regex, bool negated, bool ignoresCase) {
        Node node;
        node.kind = Kind::match;
        node.left = left;
        node.right = regex;
        node.negated = negated;
        node.ignoresCase = ignoresCase;
        return add(std::move(node));
    }

    Index wrong(std::string_view what) {
        if (fault_.empty()) fault_ = what;
        return Expression::kNone;
    }
    bool failed() const noexcept { return !fault_.empty(); }

    void beEager() noexcept { expression_.eager = true; }

    /// The expression, whose root was added last; or what is wrong.
    Parsed take() {
        if (failed()) return std::unexpected(std::move(fault_));
        return std::move(expression_);
    }

    /// Counts how deep a parser is, as long as it lives; too deep is wrong.
    class Depth {
    public:
        Depth(ExpressionBuilder& builder, int& depth) : depth_(depth) {
            if (++depth_ > kMaxExpressionDepth)
                builder.wrong("the expression is nested too deeply");
        }
        ~Depth() { --depth_; }
        Depth(const Depth&) = delete;
        Depth& operator=(const Depth&) = delete;

    private:
        int& depth_;
    };

private:
    Expression expression_;
    std::string fault_;
};

} // namespace reef::compose
