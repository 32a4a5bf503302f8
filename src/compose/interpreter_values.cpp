// clang-format off: the header that this is a part of comes first
#include "compose/interpreter.h"
// clang-format on

#include "base/text.h"
#include "compose/target.h"

#include <algorithm>

namespace reef::compose {

namespace {

constexpr std::string_view kUndefined = "(none)";

constexpr std::string_view kUnknownEncoding =
    "expected none, url, urlencoded, base64 or entity, or several with commas between them";

/// The encodings that an attribute names, in place of those before it.
std::string_view readList(std::string_view names, Dialect dialect, EncodingList& list) {
    const auto named = readEncodings(names, dialect);
    if (!named) return kUnknownEncoding;
    list = *named;
    return {};
}

std::string converted(std::string_view value, const EncodingList& decodings,
                      const EncodingList& encodings) {
    std::string out(value);
    for (const Encoding decoding : decodings)
        out = decoded(out, decoding);
    for (const Encoding encoding : encodings)
        out = encoded(out, encoding);
    return out;
}

} // namespace

Interpreter::Why Interpreter::echo(const Directive& directive) {
    EncodingList decodings;
    EncodingList encodings = encodings_.value_or(EncodingList(Encoding::entity));
    std::optional<std::string> standIn;
    const auto apply = [&](const Step& step) -> Why {
        switch (step.action) {
        case Action::echoDecoding:
            return Why(readList(step.value, rules_.dialect, decodings));
        case Action::echoDefault:
            standIn = step.value;
            return {};
        case Action::echoEncoding:
            break;
        default:
            return {};
        }
        const auto why = readList(step.value, rules_.dialect, encodings);
        if (!nginx()) return Why(why);
        // nginx only logs an encoding that it does not know, and keeps one for what follows.
        if (!why.empty()) context_.tell(host_, page_, directive.line, text::concat("echo: ", why));
        encodings_ = encodings;
        return {};
    };
    const auto show = [&](const Step& step) {
        const auto value = world_.valueOf(step.value);
        const auto otherwise = undefinedText_ ? std::string_view(*undefinedText_) : kUndefined;
        if (!value && !standIn) return output_.print(otherwise);
        output_.print(shown(value ? *value : *standIn, decodings, encodings));
    };
    // What stands in for a variable, and nginx's encoding, hold wherever they stand.
    for (const Attribute& attribute : directive.attributes) {
        if (const auto step = understood(directive, attribute);
            step && (nginx() || step->action == Action::echoDefault))
            if (auto why = apply(*step); !why.empty()) return about(directive, attribute, why);
    }
    bool any = false;
    auto why = eachStep(directive, [&](const Step& step) -> Why {
        if (step.action != Action::echo) return nginx() ? Why() : apply(step);
        any = true;
        show(step);
        return {};
    });
    if (why.empty() && !any && nginx()) return "echo: it names no var";
    return why;
}

std::string Interpreter::shown(std::string_view value, const EncodingList& decodings,
                               const EncodingList& encodings) const {
    if (!nginx()) return converted(value, decodings, encodings);
    std::string out(value);
    for (const Encoding encoding : encodings)
        out = encodedByNginx(out, encoding);
    return out;
}

Interpreter::Why Interpreter::set(const Directive& directive) {
    std::optional<std::string> name;
    std::optional<std::string> early; // nginx takes a value that stands before its name
    EncodingList decodings;
    EncodingList encodings;
    bool any = false;
    const auto assign = [&](std::string_view value) {
        any = true;
        const bool fits = world_.set(*name, converted(value, decodings, encodings));
        return fits ? Why() : Why("the page sets too many variables");
    };
    auto why = eachStep(directive, [&](const Step& step) -> Why {
        switch (step.action) {
        case Action::setName:
            name = step.value;
            return early ? assign(*early) : Why();
        case Action::setEncoding:
            return Why(readList(step.value, rules_.dialect, encodings));
        case Action::setDecoding:
            return Why(readList(step.value, rules_.dialect, decodings));
        default:
            break;
        }
        if (name) return assign(step.value);
        if (!nginx()) return "no var stands before it";
        early = step.value;
        return {};
    });
    if (!why.empty() || any) return why;
    return name ? "set: var has no value" : "set: value has no var";
}

Interpreter::Why Interpreter::showFacts(const Step& step, Verb verb) {
    const auto kind =
        step.action == Action::factsOfFile ? FragmentKind::file : FragmentKind::virtualPath;
    const auto spec = resolve(kind, step.value, page_);
    if (!spec) return Why(spec.error());
    const auto facts = host_.factsOf(*spec);
    if (!facts) return "there is no such file, or it may not be shown";
    output_.print(verb == Verb::fileSize ? formatSize(facts->size, sizeFormat_)
                                         : world_.timeText(facts->modified));
    return {};
}

void Interpreter::printEnvironment() {
    std::string out;
    for (const auto& [name, value] : world_.all())
        out += text::concat(text::escapeHtml(name), "=", text::escapeHtml(value), "\n");
    output_.print(out);
}

} // namespace reef::compose
