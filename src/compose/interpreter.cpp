#include "compose/interpreter.h"

#include "base/text.h"
#include "compose/target.h"
#include "compose/variables.h"

namespace reef::compose {

namespace {

const std::shared_ptr<const std::string>& defaultErrorText() {
    static const auto text = std::make_shared<const std::string>(Interpreter::kErrorText);
    return text;
}

} // namespace

Interpreter::Interpreter(Host& host, const http::Request& page, PageContext& context,
                         Output& output)
    : host_(host), page_(page), context_(context), output_(output), errorText_(defaultErrorText()) {
}

void Interpreter::perform(const Item& item) {
    if (const auto* text = std::get_if<TextRun>(&item)) {
        output_.text(text->bytes);
    } else if (const auto* directive = std::get_if<Directive>(&item)) {
        run(*directive);
    } else if (const auto* error = std::get_if<SyntaxError>(&item)) {
        fault(error->line, error->what);
    }
}

void Interpreter::run(const Directive& directive) {
    if (const auto why = faultOf(directive); !why.empty()) {
        fault(directive.line, text::concat(directive.name, ": ", why));
        return;
    }
    for (const Attribute& attribute : directive.attributes) {
        const auto step = stepFor(directive, attribute, decoded_);
        const auto why = step ? apply(*step, directive.line) : step.error();
        if (why.empty()) continue;
        const auto value =
            attribute.value ? text::concat("=\"", *attribute.value, "\"") : std::string();
        fault(directive.line, text::concat(directive.name, " ", attribute.name, value, ": ", why));
        return;
    }
}

/// The answer says why it cannot be done; empty: it is done.
std::string_view Interpreter::apply(const Step& step, std::size_t line) {
    switch (step.action) {
    case Action::includeVirtual:
        return include(FragmentKind::virtualPath, step.value, line);
    case Action::includeFile:
        return include(FragmentKind::file, step.value, line);
    case Action::echo:
        echo(step.value);
        return {};
    case Action::setErrorText:
        errorText_ = std::make_shared<const std::string>(step.value);
        return {};
    }
    return "not implemented";
}

std::string_view Interpreter::include(FragmentKind kind, std::string_view target,
                                      std::size_t line) {
    auto spec = resolve(kind, target, page_);
    if (!spec) return spec.error();
    spec->line = line;
    if (const auto why = lineageFault(*spec); !why.empty()) return why;
    if (context_.fragmentsLeft == 0) return "the page includes too many fragments";
    --context_.fragmentsLeft;
    output_.include(*spec, errorText_);
    return {};
}

void Interpreter::echo(std::string_view name) {
    auto value = host_.variable(page_, name);
    if (!value) value = variable(page_, name, PageTimes(host_.now(), context_.lastModified));
    output_.print(value ? text::escapeHtml(*value) : std::string(kUndefined));
}

void Interpreter::fault(std::size_t line, std::string_view what) {
    output_.print(*errorText_);
    context_.tell(host_, page_, line, what);
}

} // namespace reef::compose
