#include "compose/directive.h"

#include "base/text.h"
#include "compose/entities.h"

#include <algorithm>

namespace reef::compose {

namespace {

enum class Value : bool { raw, entities };

struct Rule {
    std::string_view directive;
    std::string_view attribute;
    Action action;
    Value value;
};

constexpr Rule kRules[] = {
    {"include", "virtual", Action::includeVirtual, Value::entities},
    {"include", "file", Action::includeFile, Value::entities},
    {"echo", "var", Action::echo, Value::entities},
    {"config", "errmsg", Action::setErrorText, Value::raw},
};

bool isOf(const Rule& rule, const Directive& directive) noexcept {
    return text::equalsIgnoreCase(rule.directive, directive.name);
}

} // namespace

std::string_view faultOf(const Directive& directive) noexcept {
    if (!std::ranges::any_of(kRules, [&](const Rule& rule) { return isOf(rule, directive); })) {
        return "unknown directive";
    }
    return directive.attributes.empty() ? "an attribute is missing" : "";
}

std::expected<Step, std::string_view> stepFor(const Directive& directive,
                                              const Attribute& attribute, std::string& scratch) {
    const auto* const rule = std::ranges::find_if(kRules, [&](const Rule& candidate) {
        return isOf(candidate, directive) &&
               text::equalsIgnoreCase(candidate.attribute, attribute.name);
    });
    if (rule == std::end(kRules)) return std::unexpected("unknown attribute");
    if (!attribute.value) return std::unexpected("the attribute has no value");
    const auto value = rule->value == Value::entities ? decodeEntities(*attribute.value, scratch)
                                                      : *attribute.value;
    return Step{rule->action, value};
}

} // namespace reef::compose
