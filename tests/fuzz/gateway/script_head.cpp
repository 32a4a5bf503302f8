#include "gateway/script_head.h"

#include "base/arena.h"
#include "fuzz.h"
#include "gateway/shebang.h"
#include "gateway/targets.h"
#include "http/characters.h"

#include <tuple>

namespace reef::fuzz {

namespace {

using gateway::ScriptHead;
using http::HeaderField;
using http::Verdict;

bool isText(std::string_view value) {
    return std::ranges::none_of(value, [](char c) { return c == '\r' || c == '\n' || c == '\0'; });
}

/// A head that is read piece by piece, each time at another place.
struct Reading {
    explicit Reading(ScriptHead::Form form) : head(arena, form) {}

    Verdict pieces(std::string_view input) {
        Cuts cuts(input);
        std::size_t end = 0;
        Verdict verdict = Verdict::incomplete;
        do {
            end = std::min(input.size(), end + cuts.next() * (1 + end / 64));
            auto moved = std::make_unique<ExactCopy>(input.substr(0, end));
            verdict = head.parse(moved->view());
            place = std::move(moved);
        } while (verdict == Verdict::incomplete && end < input.size());
        return verdict;
    }

    Arena arena;
    ScriptHead head;
    std::unique_ptr<ExactCopy> place;
};

void checkMeaning(const ScriptHead& script, std::string_view input) {
    const auto& head = script.head();
    require(head.status >= 200 && head.status <= 599, "a final status");
    require(script.length() <= input.size() && input[script.length() - 1] == '\n',
            "it ends with its empty line");
    for (const auto* const name : {"Status", "Content-Length", "Transfer-Encoding", "Connection",
                                   "Keep-Alive", "Date", "X-Sendfile", "X-Accel-Redirect"})
        require(!head.fields.contains(name), "what is the server's own is gone");
    for (const auto* const name : {"Content-Type", "Location"})
        require(head.fields.count(name) <= 1, "CGI's own fields stand once");
    if (script.kind() == ScriptHead::Kind::localRedirect)
        require(script.target().starts_with('/') && !script.target().starts_with("//"),
                "a local path is local");
    for (const HeaderField& field : head.fields)
        require(http::isToken(field.name) && isText(field.value), "one line each");
    require(isText(head.reason), "the reason phrase is one line");
}

void check(std::string_view input, ScriptHead::Form form) {
    const ExactCopy copy(input);
    Reading whole(form);
    const Verdict verdict = whole.head.parse(copy.view());
    Reading pieces(form);
    require(pieces.pieces(input) == verdict, "the verdict does not depend on the pieces");
    if (verdict == Verdict::rejected)
        require(!whole.head.reason().empty() && isText(whole.head.reason()), "a line for the log");
    if (verdict != Verdict::complete) return;
    const auto& [a, b] = std::tie(whole.head, pieces.head);
    require(a.length() == b.length() && a.kind() == b.kind() && a.target() == b.target(),
            "the same meaning");
    require(a.head().status == b.head().status && a.head().reason == b.head().reason &&
                a.head().length == b.head().length,
            "the same status and length");
    require(std::ranges::equal(a.head().fields, b.head().fields,
                               [](const HeaderField& one, const HeaderField& other) {
                                   return one.name == other.name && one.value == other.value;
                               }),
            "the same fields");
    checkMeaning(a, input);
}

} // namespace

void scriptHead(std::string_view input) {
    const ExactCopy copy(input);
    if (const auto command = gateway::shebangOf(copy.view()))
        require(command->find('\n') == std::string_view::npos, "the command of a #! is one line");
    check(input, ScriptHead::Form::parsed);
    check(input, ScriptHead::Form::nph);
}

} // namespace reef::fuzz
