#pragma once

#include "compose/assignments.h"
#include "compose/evaluate.h"
#include "compose/expansion.h"
#include "compose/host.h"
#include "compose/page_context.h"
#include "compose/page_rules.h"
#include "compose/variables.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace reef::compose {

/// What a page knows while it is composed: what was set, the request, the site, and what the last
/// regular expression has found. The references outlive it.
class PageWorld final : public VariableSource, private ExpressionWorld {
public:
    PageWorld(Host& host, const http::Request& page, const PageContext& context, Dialect dialect,
              SharedAssignments::Snapshot begun)
        : host_(host), page_(page), context_(context), dialect_(dialect),
          assignments_(std::move(begun)) {}

    /// Of a variable, in this order: what the page has set, what the site knows, what follows from
    /// the request (with nginx, by nginx's names too). Names compare without case. A name that is
    /// one digit is a capture.
    std::optional<std::string> valueOf(std::string_view name) override;

    /// As `value` of `set`. False: that would be too much.
    bool set(std::string_view name, std::string_view value);

    /// `$NAME` replaced by the dialect's rules; a view of `text` or of `scratch`.
    std::expected<std::string_view, std::string_view>
    expanded(std::string_view text, std::string& scratch, Unknown unknown = Unknown::dropped) {
        return compose::expand(text, dialect_, *this, unknown, scratch);
    }

    /// Whether an expression of `if` holds. The error is for the log.
    std::expected<bool, std::string> holds(std::string_view expression);

    /// All variables and their values, for `printenv`.
    std::vector<Assignments::Entry> all();

    void setTimeFormat(std::string_view format) { timeFormat_ = format; }
    std::string timeText(std::time_t time) const;

    SharedAssignments& assignments() noexcept { return assignments_; }

private:
    // ExpressionWorld
    std::optional<std::string> variable(std::string_view name) override { return valueOf(name); }
    std::string serverVariable(std::string_view name) override;
    std::string requestField(std::string_view name) override;
    bool mayAccess(std::string_view path) override;
    std::optional<bool> lies(std::string_view address, std::string_view network) override;
    std::expected<std::string, std::string> expand(std::string_view text,
                                                   const Matched& last) override;

    std::optional<std::string> given(std::string_view name);
    std::optional<std::string> captured(std::string_view name) const;
    PageTimes times() const;

    Host& host_;
    const http::Request& page_;
    const PageContext& context_;
    Dialect dialect_;
    SharedAssignments assignments_;
    std::optional<std::string> timeFormat_;
    std::unique_ptr<Matched> matched_;    // null: nothing yet
    const Matched* evaluating_ = nullptr; // what holds while an expression is looked at
};

} // namespace reef::compose
