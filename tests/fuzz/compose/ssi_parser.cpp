#include "base/arena.h"
#include "base/text.h"
#include "compose/directive.h"
#include "compose/entities.h"
#include "compose/parser.h"
#include "compose/target.h"
#include "compose/targets.h"
#include "fuzz.h"

#include <string>
#include <vector>

namespace reef::fuzz {

namespace {

using namespace compose;

std::string stretched(std::string_view input) {
    std::string out;
    for (const char c : input) {
        if (c == '\x01') {
            out.append(1000, 'x');
        } else {
            out += c;
        }
    }
    return out;
}

struct Parsed {
    std::string text; // of all runs
    std::string items;
    bool onlyText = true;

    void take(Parser& parser) {
        while (const auto item = parser.next()) {
            if (const auto* run = std::get_if<TextRun>(&*item)) {
                require(!run->bytes.empty(), "a run has bytes");
                require(run->bytes.size() <= Parser::kMaxText, "a run is bounded");
                require(!textOf(run->bytes).contains("<!--#"), "no start tag is missed");
                text += textOf(run->bytes);
                items += textOf(run->bytes);
                continue;
            }
            onlyText = false;
            if (const auto* error = std::get_if<SyntaxError>(&*item)) {
                items += text::concat("\x02", error->what, " in line ", error->line, "\x02");
            } else {
                add(std::get<Directive>(*item));
            }
        }
    }

    void add(const Directive& directive) {
        require(!directive.name.empty(), "a directive has a name");
        items += text::concat("\x03", directive.name, " in line ", directive.line);
        for (const Attribute& attribute : directive.attributes) {
            require(!attribute.name.empty(), "an attribute has a name");
            items += text::concat("\x04", attribute.name, "\x05",
                                  attribute.value ? *attribute.value : "\x06");
        }
        items += '\x03';
    }
};

Parsed whole(std::string_view page) {
    const ExactCopy copy(page);
    Parser parser;
    Parsed parsed;
    parser.feed(copy.view());
    parsed.take(parser);
    parser.finish();
    parsed.take(parser);
    return parsed;
}

Parsed inPieces(std::string_view page) {
    Parser parser;
    Parsed parsed;
    Cuts cuts(page);
    while (!page.empty()) {
        const ExactCopy copy(page.substr(0, cuts.next()));
        parser.feed(copy.view());
        parsed.take(parser);
        page.remove_prefix(copy.view().size());
    }
    parser.finish();
    parsed.take(parser);
    return parsed;
}

void checkTarget(FragmentKind kind, std::string_view value) {
    Arena arena;
    http::EmptyBody body;
    const http::Endpoints ends;
    http::Request page(arena, body, ends);
    page.target = page.rawPath = page.path = "/dir/page.shtml";
    const auto spec = resolve(kind, value, page);
    if (!spec) return;
    require(spec->path.starts_with('/'), "a path is absolute");
    require(!spec->path.contains("/../") && !spec->path.ends_with("/.."), "no way up");
    if (kind == FragmentKind::file) {
        require(spec->path.starts_with("/dir/"), "a file is below the page's directory");
        require(!spec->hasQuery, "a file has no query");
    }
    for (const char c : spec->target) {
        require(c > 0x20 && c < 0x7f, "a target can stand in a request line");
    }
    (void)lineageFault(*spec);
}

void checkDirective(const Directive& directive) {
    std::string scratch;
    if (!faultOf(directive).empty()) return;
    for (const Attribute& attribute : directive.attributes) {
        const auto step = stepFor(directive, attribute, scratch);
        if (!step) return;
        require(step->value.size() <= Parser::kMaxDirective, "decoding never makes longer");
        if (step->action == Action::includeVirtual) {
            checkTarget(FragmentKind::virtualPath, step->value);
        }
        if (step->action == Action::includeFile) checkTarget(FragmentKind::file, step->value);
    }
}

void checkDirectives(std::string_view page) {
    Parser parser;
    parser.feed(bytesOf(page));
    while (const auto item = parser.next()) {
        if (const auto* directive = std::get_if<Directive>(&*item)) checkDirective(*directive);
    }
}

} // namespace

void ssiParser(std::string_view input) {
    const auto page = stretched(input);
    const auto first = whole(page);
    const auto second = inPieces(page);
    require(first.items == second.items, "items do not depend on the pieces");
    require(!first.onlyText || first.text == page, "text is left as it is");
    require(first.onlyText || page.contains("<!--#"), "directives begin with the start tag");
    checkDirectives(page);
    std::string scratch;
    require(decodeEntities(page, scratch).size() <= page.size(), "decoding never makes longer");
}

} // namespace reef::fuzz
