#pragma once

#include "compose/conditions.h"
#include "compose/directive.h"
#include "compose/encoding.h"
#include "compose/format_size.h"
#include "compose/host.h"
#include "compose/page_context.h"
#include "compose/page_rules.h"
#include "compose/page_world.h"
#include "compose/parser.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace reef::compose {

/// One include of a page, with all that its directive says about it. Views are of the directive.
struct Inclusion {
    explicit Inclusion(FragmentSpec what) noexcept : spec(std::move(what)) {}

    FragmentSpec spec; ///< its views are the page's arena's
    std::shared_ptr<const std::string> errorText;
    std::shared_ptr<const FragmentSpec> onError; ///< what is included when it fails; null: nothing
    std::shared_ptr<const std::string> stub; ///< a page for when it fails or is empty; null: none
    bool stubWhenEmpty = true;               ///< whether an empty answer has failed
    std::string_view variable;               ///< what gets it in place of the page; empty: none
    bool awaited = false;                    ///< nothing behind it is looked at before it has ended
    unsigned retries = 0;                    ///< further attempts at one that has failed
    bool primary = false;                    ///< its head is the page's
    std::string parameters;                  ///< what is added to its query; of no use afterwards
};

/// Where the interpreter's results go, in document order.
class Output {
public:
    /// Text of the page. A view of the fed piece (or static): needed no longer than the caller
    /// says.
    virtual void text(ByteView bytes) = 0;

    /// Text made by a directive: to be copied.
    virtual void print(std::string_view made) = 0;

    /// A fragment belongs here. Who takes it tells `Interpreter::expect` before it may end, if it
    /// is awaited or has a variable.
    virtual void include(const Inclusion& inclusion) = 0;

protected:
    ~Output() = default;
};

/// What the directives of one page do, one after the other, and the state they share (variables,
/// conditions, formats, the error text, blocks). Knows nothing of streams and tasks.
///
/// An error in a directive prints the error text, tells Host::problem why, and ends the directive:
/// its attributes before that one have had their effect (with nginx none has).
class Interpreter {
public:
    /// What blocks of a page may hold together, in bytes.
    static constexpr std::size_t kMaxBlocks = 64U << 10U;

    /// `begun`: what is set when the page begins. The rest outlives it.
    Interpreter(Host& host, const http::Request& page, PageContext& context, Output& output,
                const PageRules& rules, SharedAssignments::Snapshot begun);

    void perform(const Item& item);

    /// Whether the item needs what a fragment has not brought yet: then it is performed later. See
    /// docs/ssi.md.
    bool mustWait(const Item& item) const;

    /// A fragment that was included is being waited for: for `variable`, or to its end.
    void expect(const void* fragment, std::string_view variable);

    /// It has ended; `text` is for its variable.
    void arrived(const void* fragment, std::string_view text);
    bool awaits(const void* fragment) const noexcept;

    /// What the page has set so far; a fragment's page may bring more.
    const SharedAssignments::Snapshot& assignments() noexcept {
        return world_.assignments().snapshot();
    }

    /// A fragment's page that began with `begun` has come to `set`: takes over what it changed.
    void adopt(const SharedAssignments::Snapshot& begun, const SharedAssignments::Snapshot& set);

    /// The page is complete: what is still open is told.
    void finish();

private:
    using Why = std::string; ///< why something cannot be done; empty: it is done

    void run(const Directive& directive);
    void runVisible(const Directive& directive, Verb verb);
    void report(const SyntaxError& error);
    void fault(std::size_t line, std::string_view what);
    Why eachStep(const Directive& directive, auto&& apply);
    static Why about(const Directive& directive, const Attribute& attribute, std::string_view why);
    std::expected<Step, std::string> understood(const Directive& directive,
                                                const Attribute& attribute);
    Why duplicated(const Directive& directive) const;

    // Conditions
    void openCondition(const Directive& directive);
    void alternative(const Directive& directive);
    void otherwise(const Directive& directive);
    void closeCondition(const Directive& directive);
    std::expected<bool, std::string> evaluated(const Directive& directive);

    // Includes
    Why include(const Directive& directive);
    Why readOptions(const Directive& directive, Inclusion& options);
    Why readOption(const Step& step, const Attribute& attribute, Inclusion& options);
    Why standInBy(std::string_view path, Inclusion& options);
    Why fallBackTo(std::string_view target, Inclusion& options);
    Why passParameters(std::string_view names, Inclusion& options);
    Why passHeaders(std::string_view names, Inclusion& options);
    Why include(FragmentKind kind, std::string_view target, std::size_t line,
                const Inclusion& options);
    Why exec(const Step& step, std::size_t line);
    Why runCommand(std::string_view command, std::size_t line);
    Why emit(FragmentSpec spec, std::size_t line, const Inclusion& options);

    // Values
    Why echo(const Directive& directive);
    std::string shown(std::string_view name, const EncodingList& decodings,
                      const EncodingList& encodings) const;
    Why set(const Directive& directive);
    Why configure(const Step& step);
    Why showFacts(const Step& step, Verb verb);
    void printEnvironment();

    // Blocks
    Why openBlock(const Step& step);
    void record(const Item& item);
    void keep(std::string_view text, std::size_t line);
    std::shared_ptr<const std::string> blockOf(std::string_view name) const;

    bool nginx() const noexcept { return rules_.dialect == Dialect::nginx; }

    struct Block {
        std::string name;
        std::shared_ptr<std::string> text;
    };
    struct Expected {
        const void* fragment;
        std::string variable; ///< empty: its end
    };

    Host& host_;
    const http::Request& page_;
    PageContext& context_;
    Output& output_;
    PageRules rules_;
    PageWorld world_;
    Conditions conditions_;
    std::shared_ptr<const std::string> errorText_; // never null
    std::optional<std::string> undefinedText_;
    SizeFormat sizeFormat_ = SizeFormat::abbreviated;
    std::optional<EncodingList> encodings_; // nginx's, of the last `echo` that named some
    std::vector<Block> blocks_;
    std::size_t blockBytes_ = 0;
    bool recording_ = false; // into the last block
    std::vector<Expected> expected_;
    std::string decoded_;  // of the attribute at work
    std::string expanded_; // of the same
};

/// What `apply` makes of the directive's attributes, one after the other, up to the first that is
/// wrong.
Interpreter::Why Interpreter::eachStep(const Directive& directive, auto&& apply) {
    for (const Attribute& attribute : directive.attributes) {
        const auto step = understood(directive, attribute);
        const Why why = step ? Why(apply(*step)) : step.error();
        if (!why.empty()) return about(directive, attribute, why);
    }
    return {};
}

} // namespace reef::compose
