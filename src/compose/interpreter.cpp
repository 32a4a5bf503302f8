#include "compose/interpreter.h"

#include "base/text.h"

#include <algorithm>

namespace reef::compose {

namespace {

const std::shared_ptr<const std::string>& defaultErrorText(Dialect dialect) {
    static const auto apache = std::make_shared<const std::string>(errorTextOf(Dialect::apache));
    static const auto nginx = std::make_shared<const std::string>(errorTextOf(Dialect::nginx));
    return dialect == Dialect::nginx ? nginx : apache;
}

} // namespace

Interpreter::Interpreter(Host& host, const http::Request& page, PageContext& context,
                         Output& output, const PageRules& rules, SharedAssignments::Snapshot begun)
    : host_(host), page_(page), context_(context), output_(output), rules_(rules),
      world_(host, page, context, rules.dialect, std::move(begun)),
      errorText_(defaultErrorText(rules.dialect)) {}

void Interpreter::perform(const Item& item) {
    if (recording_) return record(item);
    if (const auto* text = std::get_if<TextRun>(&item)) {
        if (conditions_.shown()) output_.text(text->bytes);
    } else if (const auto* directive = std::get_if<Directive>(&item)) {
        run(*directive);
    } else if (const auto* error = std::get_if<SyntaxError>(&item)) {
        if (conditions_.shown()) report(*error);
    }
}

void Interpreter::run(const Directive& directive) {
    const auto verb = verbOf(directive);
    if (verb == Verb::condition) return openCondition(directive);
    if (verb == Verb::alternative) return alternative(directive);
    if (verb == Verb::otherwise) return otherwise(directive);
    if (verb == Verb::endCondition) return closeCondition(directive);
    if (!conditions_.shown()) return;
    if (nginx() && verb == Verb::config && directive.attributes.empty()) return;
    if (const auto why = faultOf(directive); !why.empty())
        return fault(directive.line, text::concat(directive.name, ": ", why));
    if (const auto why = duplicated(directive); !why.empty()) return fault(directive.line, why);
    runVisible(directive, *verb);
}

void Interpreter::runVisible(const Directive& directive, Verb verb) {
    Why why;
    switch (verb) {
    case Verb::include:
        why = include(directive);
        break;
    case Verb::echo:
        why = echo(directive);
        break;
    case Verb::set:
        why = set(directive);
        break;
    case Verb::config:
        why = eachStep(directive, [this](const Step& step) { return configure(step); });
        break;
    case Verb::fileSize:
    case Verb::fileModified:
        why = eachStep(directive, [this, verb](const Step& step) { return showFacts(step, verb); });
        break;
    case Verb::exec:
        why = eachStep(directive, [&](const Step& step) { return exec(step, directive.line); });
        break;
    case Verb::block:
        why = eachStep(directive, [this](const Step& step) { return openBlock(step); });
        break;
    case Verb::printEnvironment:
        printEnvironment();
        break;
    default:
        break; // a comment; an endblock without its block, which nginx passes over too
    }
    if (!why.empty()) fault(directive.line, why);
}

Interpreter::Why Interpreter::about(const Directive& directive, const Attribute& attribute,
                                    std::string_view why) {
    const auto value =
        attribute.value ? text::concat("=\"", *attribute.value, "\"") : std::string();
    return text::concat(directive.name, " ", attribute.name, value, ": ", why);
}

/// An attribute with its entities decoded and its variables replaced, where it wants that. Valid
/// until the next one.
std::expected<Step, std::string> Interpreter::understood(const Directive& directive,
                                                         const Attribute& attribute) {
    auto step =
        stepFor(directive, attribute, decoded_, nginx() ? Entities::kept : Entities::decoded);
    if (!step) return std::unexpected(std::string(step.error()));
    const bool configures = nginx() && verbOf(directive) == Verb::config; // taken as it is written
    if (!step->expands || configures) return *step;
    const auto unknown = step->action == Action::execCommand ? Unknown::kept : Unknown::dropped;
    const auto value = world_.expanded(step->value, expanded_, unknown);
    if (!value) return std::unexpected(std::string(value.error()));
    step->value = *value;
    return *step;
}

/// nginx takes no attribute twice, and looks at all of them before it does anything.
Interpreter::Why Interpreter::duplicated(const Directive& directive) const {
    if (!nginx()) return {};
    for (const Attribute& attribute : directive.attributes) {
        std::string scratch;
        const auto step = stepFor(directive, attribute, scratch, Entities::kept);
        if (!step) return about(directive, attribute, step.error());
        const auto same = std::ranges::count_if(directive.attributes, [&](const Attribute& other) {
            return text::equalsIgnoreCase(other.name, attribute.name);
        });
        if (same > 1 && step->action != Action::nothing)
            return about(directive, attribute, "the attribute is there twice");
    }
    return {};
}

Interpreter::Why Interpreter::configure(const Step& step) {
    switch (step.action) {
    case Action::errorText:
        errorText_ = std::make_shared<const std::string>(step.value);
        return {};
    case Action::undefinedText:
        undefinedText_ = step.value;
        return {};
    case Action::timeFormat:
        world_.setTimeFormat(step.value);
        return {};
    default:
        break;
    }
    if (step.value != "bytes" && step.value != "abbrev") return "expected bytes or abbrev";
    sizeFormat_ = step.value == "bytes" ? SizeFormat::bytes : SizeFormat::abbreviated;
    return {};
}

// Conditions

std::expected<bool, std::string> Interpreter::evaluated(const Directive& directive) {
    if (directive.attributes.size() != 1)
        return std::unexpected(
            text::concat(directive.name, ": expected one attribute, expr=\"...\""));
    const Attribute& attribute = directive.attributes.front();
    const auto step = stepFor(directive, attribute, decoded_);
    if (!step) return std::unexpected(about(directive, attribute, step.error()));
    auto outcome = world_.holds(step->value);
    if (!outcome) return std::unexpected(about(directive, attribute, outcome.error()));
    return outcome;
}

void Interpreter::openCondition(const Directive& directive) {
    if (!conditions_.shown()) return conditions_.enterBroken();
    const auto outcome = evaluated(directive);
    if (outcome) return conditions_.enter(*outcome);
    fault(directive.line, outcome.error());
    if (!nginx()) conditions_.enterBroken();
}

void Interpreter::alternative(const Directive& directive) {
    if (nginx() && (!conditions_.open() || conditions_.hasElse()))
        return fault(directive.line, "elif: there is no if that it could belong to");
    if (!conditions_.undecided()) return conditions_.alternative(false);
    const auto outcome = evaluated(directive);
    if (outcome) return conditions_.alternative(*outcome);
    fault(directive.line, outcome.error());
    if (nginx()) return;
    conditions_.alternative(true); // nothing of it is shown, nor of what comes after it
    conditions_.alternative(false);
}

void Interpreter::otherwise(const Directive& directive) {
    if (nginx() && (!conditions_.open() || conditions_.hasElse()))
        return fault(directive.line, "else: there is no if that it could belong to");
    if (directive.attributes.empty()) return conditions_.otherwise();
    if (conditions_.shown()) fault(directive.line, "else: it takes no attributes");
}

void Interpreter::closeCondition(const Directive& directive) {
    if (nginx() && !conditions_.open())
        return fault(directive.line, "endif: there is no if that it could belong to");
    if (directive.attributes.empty()) return conditions_.leave();
    if (conditions_.shown()) fault(directive.line, "endif: it takes no attributes");
}

// Fragments that are waited for

bool Interpreter::mustWait(const Item& item) const {
    if (expected_.empty() || recording_) return false;
    const auto* const directive = std::get_if<Directive>(&item);
    if (directive == nullptr) return false;
    if (nginx()) return true;
    const auto verb = verbOf(*directive);
    if (verb == Verb::condition || verb == Verb::alternative || verb == Verb::exec ||
        verb == Verb::printEnvironment)
        return true;
    return std::ranges::any_of(expected_, [&](const Expected& expected) {
        if (expected.variable.empty()) return true;
        return std::ranges::any_of(directive->attributes, [&](const Attribute& attribute) {
            // An entity may hide the name.
            return attribute.value &&
                   (attribute.value->contains('&') ||
                    text::toLower(*attribute.value).contains(text::toLower(expected.variable)));
        });
    });
}

void Interpreter::expect(const void* fragment, std::string_view variable) {
    expected_.emplace_back(fragment, std::string(variable));
}

void Interpreter::arrived(const void* fragment, std::string_view text) {
    std::erase_if(expected_, [&](const Expected& expected) {
        if (expected.fragment != fragment) return false;
        if (!expected.variable.empty() && !world_.set(expected.variable, text))
            context_.tell(host_, page_, 0, "the page sets too many variables");
        return true;
    });
}

bool Interpreter::awaits(const void* fragment) const noexcept {
    return std::ranges::find(expected_, fragment, &Expected::fragment) != expected_.end();
}

void Interpreter::adopt(const SharedAssignments::Snapshot& begun,
                        const SharedAssignments::Snapshot& set) {
    if (assignments() == begun) return world_.assignments().adopt(set);
    for (const auto& [name, value] : set->entries()) {
        if (begun != nullptr && begun->find(name) == value) continue;
        if (!world_.set(name, value))
            context_.tell(host_, page_, 0, "the page sets too many variables");
    }
}

// Errors

/// nginx passes over a directive that the page ends in.
void Interpreter::report(const SyntaxError& error) {
    if (!nginx() || !error.unfinished) return fault(error.line, error.what);
    context_.tell(host_, page_, error.line, error.what);
}

void Interpreter::fault(std::size_t line, std::string_view what) {
    output_.print(*errorText_);
    context_.tell(host_, page_, line, what);
}

void Interpreter::finish() {
    if (recording_) context_.tell(host_, page_, 0, "a block is not closed by endblock");
    if (conditions_.open()) context_.tell(host_, page_, 0, "an if is not closed by endif");
}

} // namespace reef::compose
