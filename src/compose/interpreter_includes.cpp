// clang-format off: the header that this is a part of comes first
#include "compose/interpreter.h"
// clang-format on

#include "base/text.h"
#include "compose/target.h"

#include <algorithm>

namespace reef::compose {

namespace {

/// How many of its attributes name something to include.
std::size_t targetsOf(const Directive& directive) noexcept {
    return static_cast<std::size_t>(
        std::ranges::count_if(directive.attributes, [](const Attribute& attribute) {
            return text::equalsIgnoreCase(attribute.name, "virtual") ||
                   text::equalsIgnoreCase(attribute.name, "file");
        }));
}

std::string withParameters(std::string_view target, std::string_view parameters) {
    if (parameters.empty()) return std::string(target);
    const auto path = target.substr(0, target.find('#'));
    return text::concat(path, path.contains('?') ? "&" : "?", parameters);
}

} // namespace

/// First what is said about all that the directive includes, wherever it stands; then these, one
/// after the other.
Interpreter::Why Interpreter::include(const Directive& directive) {
    Inclusion options(FragmentSpec(FragmentKind::virtualPath, page_));
    if (targetsOf(directive) != directive.attributes.size()) {
        if (auto why = readOptions(directive, options); !why.empty()) return why;
    }
    if (nginx() && directive.attributes.size() > 1 && targetsOf(directive) != 1)
        return "include: expected one of virtual and file";
    bool any = false;
    auto why = eachStep(directive, [&](const Step& step) -> Why {
        if (step.action != Action::includeVirtual && step.action != Action::includeFile) return {};
        any = true;
        const auto kind =
            step.action == Action::includeFile ? FragmentKind::file : FragmentKind::virtualPath;
        return include(kind, step.value, directive.line, options);
    });
    if (why.empty() && !any && nginx()) return "include: it names neither virtual nor file";
    return why;
}

Interpreter::Why Interpreter::include(FragmentKind kind, std::string_view target, std::size_t line,
                                      const Inclusion& options) {
    if (kind == FragmentKind::file && !options.parameters.empty())
        return "params: a file has no query";
    const auto whole = withParameters(target, options.parameters);
    auto spec = resolve(kind, whole, page_);
    if (!spec && options.onError == nullptr) return Why(spec.error());
    if (!spec) {
        context_.tell(host_, page_, line, text::concat("include of ", target, ": ", spec.error()));
        Inclusion instead = options;
        instead.onError = nullptr;
        return emit(*options.onError, line, instead);
    }
    if (const auto why = lineageFault(*spec); !why.empty()) return Why(why);
    return emit(std::move(*spec), line, options);
}

Interpreter::Why Interpreter::emit(FragmentSpec spec, std::size_t line, const Inclusion& options) {
    if (context_.fragmentsLeft == 0) return "the page includes too many fragments";
    --context_.fragmentsLeft;
    spec.line = line;
    spec.variables = world_.assignments().snapshot();
    spec.foreign = rules_.foreign || page_.byIsland;
    spec.timeout = options.spec.timeout;
    spec.keeping = options.spec.keeping;
    spec.fields = options.spec.fields;
    Inclusion inclusion = options;
    inclusion.spec = std::move(spec);
    inclusion.errorText = errorText_;
    output_.include(inclusion);
    return {};
}

Interpreter::Why Interpreter::exec(const Step& step, std::size_t line) {
    if (!rules_.exec) return "exec is off; `ssi_exec = true` turns it on";
    const Inclusion options(FragmentSpec(FragmentKind::cgi, page_));
    if (step.action == Action::execCommand) return runCommand(step.value, line);
    std::string target(step.value);
    if (!target.contains('?') && page_.hasQuery) target += text::concat("?", page_.query);
    auto spec = resolve(FragmentKind::virtualPath, page_.arena->copy(target), page_);
    if (!spec) return Why(spec.error());
    spec->kind = FragmentKind::cgi;
    if (const auto why = lineageFault(*spec); !why.empty()) return Why(why);
    return emit(std::move(*spec), line, options);
}

Interpreter::Why Interpreter::runCommand(std::string_view command, std::size_t line) {
    if (command.contains('\0')) return "the command holds a NUL";
    FragmentSpec spec(FragmentKind::command, page_);
    spec.target = page_.arena->copy(command);
    spec.rawPath = page_.rawPath;
    spec.path = page_.path;
    spec.query = page_.query;
    spec.hasQuery = page_.hasQuery;
    if (spec.lineage().depth > kMaxDepth) return "includes are nested too deeply";
    return emit(std::move(spec), line, Inclusion(FragmentSpec(FragmentKind::command, page_)));
}

// Blocks

Interpreter::Why Interpreter::openBlock(const Step& step) {
    std::erase_if(blocks_, [&](const Block& block) { return block.name == step.value; });
    blocks_.emplace_back(std::string(step.value), std::make_shared<std::string>());
    recording_ = true;
    return {};
}

/// Of a block everything is kept as it is written, and becomes a page of its own when it is needed.
void Interpreter::record(const Item& item) {
    if (const auto* text = std::get_if<TextRun>(&item)) {
        keep(textOf(text->bytes), 0);
    } else if (const auto* directive = std::get_if<Directive>(&item)) {
        if (verbOf(*directive) == Verb::endBlock) {
            recording_ = false;
        } else if (verbOf(*directive) == Verb::block) {
            fault(directive->line, "block: it stands in another block");
        } else {
            keep(text::concat("<!--#", directive->source), directive->line);
        }
    } else if (const auto* error = std::get_if<SyntaxError>(&item)) {
        fault(error->line, error->what);
    }
}

void Interpreter::keep(std::string_view text, std::size_t line) {
    const bool fitted = blockBytes_ <= kMaxBlocks;
    blockBytes_ += text.size();
    if (blockBytes_ <= kMaxBlocks) {
        *blocks_.back().text += text;
    } else if (fitted) {
        context_.tell(host_, page_, line, "the blocks of the page are too long; the rest is cut");
    }
}

std::shared_ptr<const std::string> Interpreter::blockOf(std::string_view name) const {
    const auto block = std::ranges::find(blocks_, name, &Block::name);
    return block == blocks_.end() ? nullptr : block->text;
}

} // namespace reef::compose
