#include "compose/directive.h"

#include "base/text.h"
#include "compose/entities.h"

#include <algorithm>

namespace reef::compose {

namespace {

enum class Takes : std::uint8_t { some, none, anything };

struct Name {
    std::string_view name;
    Verb verb;
    Takes takes;
};

constexpr Name kNames[] = {
    {"include", Verb::include, Takes::some},
    {"echo", Verb::echo, Takes::some},
    {"set", Verb::set, Takes::some},
    {"if", Verb::condition, Takes::some},
    {"elif", Verb::alternative, Takes::some},
    {"else", Verb::otherwise, Takes::none},
    {"endif", Verb::endCondition, Takes::none},
    {"config", Verb::config, Takes::some},
    {"fsize", Verb::fileSize, Takes::some},
    {"flastmod", Verb::fileModified, Takes::some},
    {"exec", Verb::exec, Takes::some},
    {"printenv", Verb::printEnvironment, Takes::none},
    {"comment", Verb::comment, Takes::anything},
    {"block", Verb::block, Takes::some},
    {"endblock", Verb::endBlock, Takes::none},
};

enum class Value : std::uint8_t {
    raw,
    expanded,        ///< variables
    decodedExpanded, ///< entities, then variables
};

struct Rule {
    Verb verb;
    std::string_view attribute;
    Action action;
    Value value;
};

constexpr Rule kRules[] = {
    {Verb::include, "virtual", Action::includeVirtual, Value::decodedExpanded},
    {Verb::include, "file", Action::includeFile, Value::decodedExpanded},
    {Verb::include, "onerror", Action::onError, Value::decodedExpanded},
    {Verb::include, "stub", Action::stub, Value::raw},
    {Verb::include, "wait", Action::wait, Value::raw},
    {Verb::include, "set", Action::capture, Value::raw},
    {Verb::include, "fallback", Action::fallback, Value::decodedExpanded},
    {Verb::include, "timeout", Action::timeout, Value::expanded},
    {Verb::include, "ttl", Action::timeToLive, Value::expanded},
    {Verb::include, "stale", Action::stale, Value::expanded},
    {Verb::include, "retry", Action::retry, Value::expanded},
    {Verb::include, "primary", Action::primary, Value::raw},
    {Verb::include, "params", Action::parameters, Value::raw},
    {Verb::include, "headers", Action::headers, Value::raw},
    {Verb::echo, "var", Action::echo, Value::decodedExpanded},
    {Verb::echo, "encoding", Action::echoEncoding, Value::raw},
    {Verb::echo, "decoding", Action::echoDecoding, Value::raw},
    {Verb::echo, "default", Action::echoDefault, Value::raw},
    {Verb::set, "var", Action::setName, Value::decodedExpanded},
    {Verb::set, "value", Action::setValue, Value::expanded},
    {Verb::set, "encoding", Action::setEncoding, Value::raw},
    {Verb::set, "decoding", Action::setDecoding, Value::raw},
    {Verb::condition, "expr", Action::expression, Value::raw},
    {Verb::alternative, "expr", Action::expression, Value::raw},
    {Verb::config, "errmsg", Action::errorText, Value::expanded},
    {Verb::config, "echomsg", Action::undefinedText, Value::expanded},
    {Verb::config, "timefmt", Action::timeFormat, Value::expanded},
    {Verb::config, "sizefmt", Action::sizeFormat, Value::expanded},
    {Verb::fileSize, "virtual", Action::factsOfVirtual, Value::decodedExpanded},
    {Verb::fileSize, "file", Action::factsOfFile, Value::decodedExpanded},
    {Verb::fileModified, "virtual", Action::factsOfVirtual, Value::decodedExpanded},
    {Verb::fileModified, "file", Action::factsOfFile, Value::decodedExpanded},
    {Verb::exec, "cmd", Action::execCommand, Value::decodedExpanded},
    {Verb::exec, "cgi", Action::execCgi, Value::decodedExpanded},
    {Verb::block, "name", Action::blockName, Value::raw},
};

const Name* find(const Directive& directive) noexcept {
    const auto* const name = std::ranges::find_if(kNames, [&](const Name& candidate) {
        return text::equalsIgnoreCase(candidate.name, directive.name);
    });
    return name == std::end(kNames) ? nullptr : name;
}

} // namespace

std::expected<Verb, std::string_view> verbOf(const Directive& directive) noexcept {
    const Name* const name = find(directive);
    if (name == nullptr) return std::unexpected("unknown directive");
    return name->verb;
}

std::string_view faultOf(const Directive& directive) noexcept {
    const Name* const name = find(directive);
    if (name == nullptr) return "unknown directive";
    const bool bare = directive.attributes.empty();
    if (name->takes == Takes::some && bare) return "an attribute is missing";
    if (name->takes == Takes::none && !bare) return "it takes no attributes";
    return {};
}

std::expected<Step, std::string_view> stepFor(const Directive& directive,
                                              const Attribute& attribute, std::string& scratch,
                                              Entities entities) {
    const Name* const name = find(directive);
    if (name == nullptr) return std::unexpected("unknown directive");
    if (name->takes == Takes::anything) return Step{Action::nothing, {}, false};
    const auto* const rule = std::ranges::find_if(kRules, [&](const Rule& candidate) {
        return candidate.verb == name->verb &&
               text::equalsIgnoreCase(candidate.attribute, attribute.name);
    });
    if (rule == std::end(kRules)) return std::unexpected("unknown attribute");
    if (!attribute.value) return std::unexpected("the attribute has no value");
    const bool decodes = entities == Entities::decoded && rule->value == Value::decodedExpanded;
    return Step{rule->action,
                decodes ? decodeEntities(*attribute.value, scratch) : *attribute.value,
                rule->value != Value::raw};
}

} // namespace reef::compose
