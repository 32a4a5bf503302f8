#include "app/page_lint.h"

#include "base/text.h"
#include "compose/directive.h"
#include "compose/encoding.h"
#include "compose/expression.h"
#include "compose/include_values.h"
#include "compose/target.h"

#include <algorithm>
#include <optional>

namespace reef::app {

namespace {

using compose::Action;
using compose::Dialect;
using compose::Verb;

bool isOneOf(std::string_view name, std::initializer_list<std::string_view> names) {
    return std::ranges::find(names, name) != names.end();
}

/// The name behind the first `$` of a text, if one follows; not of a capture.
std::optional<std::string_view> variableIn(std::string_view text) {
    for (auto mark = text.find('$'); mark != std::string_view::npos;
         mark = text.find('$', mark + 1)) {
        auto rest = text.substr(mark + 1);
        if (rest.starts_with('{')) rest.remove_prefix(1);
        std::size_t length = 0;
        while (length < rest.size() && (text::isAlpha(rest[length]) || rest[length] == '_' ||
                                        (length != 0 && text::isDigit(rest[length]))))
            ++length;
        if (length != 0) return rest.substr(0, length);
    }
    return std::nullopt;
}

class Lint {
public:
    Lint(const http::Request& page, const PageManners& manners, const TargetFault& targetFault)
        : page_(page), manners_(manners), targetFault_(targetFault) {}

    void look(const compose::Item& item) {
        if (const auto* error = std::get_if<compose::SyntaxError>(&item))
            fault(error->line, std::string(error->what));
        if (const auto* directive = std::get_if<compose::Directive>(&item)) look(*directive);
    }

    std::vector<PageFinding> take() {
        for (const std::size_t line : open_)
            fault(line, "if: it is not closed by endif");
        if (blockLine_ != 0) fault(blockLine_, "block: it is not closed by endblock");
        return std::move(findings_);
    }

private:
    void look(const compose::Directive& directive) {
        line_ = directive.line;
        const auto verb = compose::verbOf(directive);
        if (const auto why = compose::faultOf(directive); !why.empty())
            fault(line_, text::concat(directive.name, ": ", why));
        if (!verb) return;
        foreign(directive, *verb);
        balance(*verb);
        unencoded_ = false;
        for (const compose::Attribute& attribute : directive.attributes) {
            std::string scratch;
            const auto step = compose::stepFor(directive, attribute, scratch, entities());
            const std::string why = step ? faultOf(*step) : std::string(step.error());
            if (!why.empty()) about(directive, attribute, why);
            if (step) foreign(directive, attribute, *step);
        }
        if (isAny(*verb, {Verb::condition, Verb::alternative}) && directive.attributes.size() > 1)
            fault(line_, text::concat(directive.name, ": it takes one attribute, expr"));
    }

    static bool isAny(Verb verb, std::initializer_list<Verb> verbs) {
        return std::ranges::find(verbs, verb) != verbs.end();
    }

    compose::Entities entities() const {
        return nginx() ? compose::Entities::kept : compose::Entities::decoded;
    }
    bool nginx() const { return manners_.dialect == Dialect::nginx; }

    void balance(Verb verb) {
        const auto orphan = [&](std::string_view name) {
            if (open_.empty()) fault(line_, text::concat(name, ": there is no if before it"));
        };
        switch (verb) {
        case Verb::condition:
            open_.push_back(line_);
            break;
        case Verb::alternative:
            orphan("elif");
            break;
        case Verb::otherwise:
            orphan("else");
            break;
        case Verb::endCondition:
            orphan("endif");
            if (!open_.empty()) open_.pop_back();
            break;
        case Verb::block:
            if (blockLine_ != 0) fault(line_, "block: it stands in another block");
            blockLine_ = line_;
            break;
        case Verb::endBlock:
            if (blockLine_ == 0) fault(line_, "endblock: there is no block before it");
            blockLine_ = 0;
            break;
        default:
            break;
        }
    }

    /// What is wrong with an attribute's value; empty: nothing.
    std::string faultOf(const compose::Step& step) {
        switch (step.action) {
        case Action::includeFile:
        case Action::factsOfFile:
            return targetFault(compose::FragmentKind::file, step);
        case Action::includeVirtual:
        case Action::onError:
        case Action::execCgi:
        case Action::factsOfVirtual:
            return targetFault(compose::FragmentKind::virtualPath, step);
        case Action::expression:
            return expressionFault(step.value);
        case Action::echoEncoding:
        case Action::echoDecoding:
        case Action::setEncoding:
        case Action::setDecoding:
            return encodingFault(step);
        case Action::wait:
        case Action::primary:
            return why(compose::readYes(step.value));
        case Action::timeout:
            return variableIn(step.value) ? "" : why(compose::readTimeout(step.value));
        case Action::timeToLive:
        case Action::stale:
            return variableIn(step.value) ? "" : why(compose::readLifetime(step.value));
        case Action::retry:
            return variableIn(step.value) ? "" : why(compose::readRetries(step.value));
        case Action::parameters:
        case Action::headers:
            return namesFault(step.value);
        case Action::fallback:
            return isBlock(step.value) ? "" : targetFault(compose::FragmentKind::virtualPath, step);
        case Action::sizeFormat:
            return isOneOf(step.value, {"bytes", "abbrev"}) || variableIn(step.value)
                       ? ""
                       : "expected bytes or abbrev";
        case Action::stub:
            return isBlock(step.value) ? "" : "there is no block of this name before it";
        case Action::blockName:
            blocks_.emplace_back(step.value);
            return {};
        case Action::echo:
            shown(step.value);
            return {};
        case Action::execCommand:
            command(step.value);
            return {};
        default:
            return {};
        }
    }

    template<class Value>
    static std::string why(const std::expected<Value, std::string_view>& read) {
        return read ? std::string() : std::string(read.error());
    }

    static std::string namesFault(std::string_view list) {
        while (const auto name = compose::takeName(list))
            if (name->empty()) return "expected names of variables with commas between them";
        return {};
    }

    bool isBlock(std::string_view name) const {
        return std::ranges::find(blocks_, name) != blocks_.end();
    }

    /// Nothing is said about a target that variables are a part of.
    std::string targetFault(compose::FragmentKind kind, const compose::Step& step) {
        if (step.action == Action::execCgi) ran();
        if (step.value.contains('$')) return {};
        const auto spec = compose::resolve(kind, step.value, page_);
        return spec ? targetFault_(*spec) : std::string(spec.error());
    }

    std::string expressionFault(std::string_view text) {
        const auto expression = compose::parseExpression(text, manners_.dialect);
        if (!expression) return expression.error();
        if (manners_.dialect != Dialect::apache) return {};
        if (const auto name = variableIn(text))
            advise(text::concat("$", *name, " is not replaced in an expression of ap_expr; v('",
                                *name, "') is the variable of the page"));
        return {};
    }

    std::string encodingFault(const compose::Step& step) {
        const auto list = compose::readEncodings(step.value, manners_.dialect);
        if (!list) return "expected none, url, urlencoded, base64 or entity";
        if (step.action == Action::echoEncoding) unencoded_ = list->begin() == list->end();
        return {};
    }

    void shown(std::string_view name) {
        if (!unencoded_) return;
        advise(text::concat("echo of ", name,
                            " without encoding: what a visitor sends may come "
                            "out of it as HTML"));
    }

    void command(std::string_view text) {
        ran();
        if (const auto name = variableIn(text))
            advise(text::concat("exec cmd: what $", *name, " holds becomes a part of the command"));
    }

    void ran() {
        if (manners_.exec) {
            advise("exec: an include of an island does the same, and needs no ssi_exec");
        } else {
            fault(line_, "exec: it is off here; `ssi_exec = true` turns it on");
        }
    }

    /// Directives that the dialect's own server does not have.
    void foreign(const compose::Directive& directive, Verb verb) {
        const bool nginxsOwn = isAny(verb, {Verb::block, Verb::endBlock});
        const bool apachesOwn = isAny(verb, {Verb::exec, Verb::fileSize, Verb::fileModified,
                                             Verb::printEnvironment, Verb::comment});
        if (nginx() ? apachesOwn : nginxsOwn)
            advise(text::concat(directive.name, ": ", server(), " has no such directive"));
        const bool blankFirst = !directive.source.starts_with(directive.name);
        if (blankFirst && !nginx())
            advise(text::concat(directive.name, ": Apache takes no blank behind <!--#"));
        if (nginx() && text::toLower(directive.name) != directive.name)
            advise(text::concat(directive.name, ": nginx knows it in small letters only"));
    }

    void foreign(const compose::Directive& directive, const compose::Attribute& attribute,
                 const compose::Step& step) {
        const auto is = [&](std::initializer_list<Action> actions) {
            return std::ranges::find(actions, step.action) != actions.end();
        };
        const bool nginxsOwn =
            is({Action::stub, Action::wait, Action::capture, Action::echoDefault});
        const bool apachesOwn =
            is({Action::onError, Action::undefinedText, Action::sizeFormat, Action::echoDecoding,
                Action::setEncoding, Action::setDecoding});
        const bool ours = is({Action::fallback, Action::timeout, Action::timeToLive, Action::stale,
                              Action::retry, Action::primary, Action::parameters, Action::headers});
        if (ours || (nginx() ? apachesOwn : nginxsOwn))
            advise(text::concat(directive.name, " ", attribute.name, ": ", server(),
                                " has no such attribute"));
    }

    std::string_view server() const { return nginx() ? "nginx" : "Apache"; }

    void about(const compose::Directive& directive, const compose::Attribute& attribute,
               std::string_view why) {
        const auto value =
            attribute.value ? text::concat("=\"", *attribute.value, "\"") : std::string();
        fault(line_, text::concat(directive.name, " ", attribute.name, value, ": ", why));
    }

    void fault(std::size_t line, std::string what) { add({line, std::move(what), false}); }
    void advise(std::string what) { add({line_, std::move(what), true}); }
    void add(PageFinding finding) {
        const auto behind =
            std::ranges::upper_bound(findings_, finding.line, {}, &PageFinding::line);
        findings_.insert(behind, std::move(finding));
    }

    const http::Request& page_;
    const PageManners& manners_;
    const TargetFault& targetFault_;
    std::size_t line_ = 0;
    bool unencoded_ = false;        // of the echo that is looked at, so far
    std::vector<std::size_t> open_; // lines of conditions
    std::size_t blockLine_ = 0;     // 0: in none
    std::vector<std::string> blocks_;
    std::vector<PageFinding> findings_;
};

} // namespace

std::vector<PageFinding> lintPage(std::string_view content, const http::Request& page,
                                  const PageManners& manners, const TargetFault& targetFault) {
    Lint lint(page, manners, targetFault);
    compose::Parser parser;
    parser.feed(bytesOf(content));
    while (const auto item = parser.next())
        lint.look(*item);
    parser.finish();
    while (const auto item = parser.next())
        lint.look(*item);
    return lint.take();
}

} // namespace reef::app
