#include "gateway/script_head.h"

#include "base/arena.h"
#include "fuzz.h"
#include "gateway/shebang.h"
#include "gateway/targets.h"

#include <string>

namespace reef::fuzz {

namespace {

using gateway::ScriptHead;

bool isText(std::string_view value) {
    return std::ranges::none_of(value, [](char c) { return c == '\r' || c == '\n' || c == '\0'; });
}

void checkHead(const ScriptHead& head) {
    const auto& answer = head.head();
    require(answer.status >= 200 && answer.status <= 999, "a final status");
    require(isText(answer.reason), "the reason phrase is one line");
    for (const auto& field : answer.fields) {
        require(!field.name.empty() && isText(field.name) && isText(field.value), "one line each");
        require(field.name.find(':') == std::string_view::npos, "a name ends at its colon");
    }
    if (head.kind() == ScriptHead::Kind::localRedirect) {
        const auto location = head.location();
        require(location.starts_with('/') && !location.starts_with("//"), "a path of this site");
    }
}

} // namespace

void scriptHead(std::string_view input) {
    Arena memory;
    const ExactCopy copy(input);
    ScriptHead whole(memory);
    const auto verdict = whole.parse(copy.view());
    ScriptHead pieces(memory);
    auto last = http::Verdict::incomplete;
    Cuts cuts(input);
    for (std::size_t size = 0; last == http::Verdict::incomplete && size < input.size();) {
        size = std::min(input.size(), size + cuts.next());
        const ExactCopy part(input.substr(0, size)); // a new place each time
        last = pieces.parse(part.view());
        if (last == http::Verdict::complete) checkHead(pieces);
    }
    require(verdict == last, "the verdict does not depend on the pieces");
    if (verdict == http::Verdict::rejected) require(isText(whole.reason()), "a line for the log");
    if (verdict != http::Verdict::complete) return;
    require(whole.length() <= input.size() && whole.length() == pieces.length(), "same end");
    require(whole.kind() == pieces.kind(), "same kind");
    checkHead(whole);
    if (const auto command = gateway::shebangOf(copy.view()))
        require(isText(*command) || command->find('\n') == std::string_view::npos, "one line");
}

} // namespace reef::fuzz
