// What an include says beside its targets.
// clang-format off: the header that this is a part of comes first
#include "compose/interpreter.h"
// clang-format on

#include "base/text.h"
#include "compose/include_values.h"
#include "compose/target.h"

#include <algorithm>

namespace reef::compose {

namespace {

/// "SSI-Cart-Id" for `cart_Id`.
std::string fieldOf(std::string_view variable) {
    std::string name = text::concat("SSI-", variable);
    std::ranges::replace(name, '_', '-');
    return name;
}

bool isFieldValue(std::string_view value) noexcept {
    return std::ranges::all_of(value, [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return (byte >= ' ' && byte != 0x7F) || c == '\t';
    });
}

template<class Value>
std::string store(const std::expected<Value, std::string_view>& read, auto& where) {
    if (!read) return std::string(read.error());
    where = *read;
    return {};
}

} // namespace

/// What of the directive is no target. One that is unknown is left to be found in its turn.
Interpreter::Why Interpreter::readOptions(const Directive& directive, Inclusion& options) {
    for (const Attribute& attribute : directive.attributes) {
        const auto step = understood(directive, attribute);
        if (!step) continue;
        if (const Why why = readOption(*step, attribute, options); !why.empty())
            return about(directive, attribute, why);
    }
    return {};
}

Interpreter::Why Interpreter::readOption(const Step& step, const Attribute& attribute,
                                         Inclusion& options) {
    const auto keeping = [&]() -> FragmentKeeping& {
        auto& kept = options.spec.keeping;
        return kept ? *kept : kept.emplace();
    };
    switch (step.action) {
    case Action::onError:
        return standInBy(step.value, options);
    case Action::fallback:
        return fallBackTo(step.value, options);
    case Action::stub:
        options.stub = blockOf(step.value);
        return options.stub == nullptr ? "there is no block of this name before it" : "";
    case Action::wait:
        return store(readYes(step.value), options.awaited);
    case Action::capture:
        options.variable = *attribute.value;
        return options.variable.empty() ? "the variable has no name" : "";
    case Action::timeout:
        return store(readTimeout(step.value), options.spec.timeout);
    case Action::timeToLive:
        return store(readLifetime(step.value), keeping().ttl);
    case Action::stale:
        return store(readLifetime(step.value), keeping().stale);
    case Action::retry:
        return store(readRetries(step.value), options.retries);
    case Action::primary:
        return store(readYes(step.value), options.primary);
    case Action::parameters:
        return passParameters(step.value, options);
    case Action::headers:
        return passHeaders(step.value, options);
    default:
        return {};
    }
}

Interpreter::Why Interpreter::standInBy(std::string_view path, Inclusion& options) {
    auto spec = resolve(FragmentKind::virtualPath, path, page_);
    if (!spec) return Why(spec.error());
    if (const auto why = lineageFault(*spec); !why.empty()) return Why(why);
    options.onError = std::make_shared<const FragmentSpec>(*std::move(spec));
    return {};
}

/// A block of the page, or else a path.
Interpreter::Why Interpreter::fallBackTo(std::string_view target, Inclusion& options) {
    const auto block = blockOf(target);
    if (block == nullptr) return standInBy(target, options);
    options.stub = block;
    options.stubWhenEmpty = false;
    return {};
}

Interpreter::Why Interpreter::passParameters(std::string_view names, Inclusion& options) {
    while (const auto name = takeName(names)) {
        if (name->empty()) return "expected names of variables with commas between them";
        const auto value = world_.valueOf(*name).value_or("");
        const auto* const joint = options.parameters.empty() ? "" : "&";
        options.parameters += text::concat(joint, *name, "=", encoded(value, Encoding::urlencoded));
    }
    return {};
}

Interpreter::Why Interpreter::passHeaders(std::string_view names, Inclusion& options) {
    auto fields = std::make_shared<FragmentFields>();
    while (const auto name = takeName(names)) {
        if (name->empty()) return "expected names of variables with commas between them";
        auto value = world_.valueOf(*name).value_or("");
        if (!isFieldValue(value))
            return text::concat("the value of ", *name, " holds what no field may hold");
        fields->emplace_back(fieldOf(*name), std::move(value));
    }
    options.spec.fields = std::move(fields);
    return {};
}

} // namespace reef::compose
