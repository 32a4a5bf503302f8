#include "http/field_lines.h"

#include "base/arena.h"
#include "fuzz.h"
#include "http/characters.h"
#include "http/targets.h"

namespace reef::fuzz {

namespace {

using namespace http;

struct Section {
    explicit Section(LineEnd ends) : lines({300, 10}, ends) {}

    Verdict pieces(std::string_view input) {
        Cuts cuts(input);
        std::size_t end = 0;
        Verdict verdict = Verdict::incomplete;
        do {
            end = std::min(input.size(), end + cuts.next() * (1 + end / 64));
            auto moved = std::make_unique<ExactCopy>(input.substr(0, end));
            place = std::move(moved);
            verdict = lines.parse(place->view(), fields);
        } while (verdict == Verdict::incomplete && end < input.size());
        return verdict;
    }

    Arena arena;
    HeaderList fields{arena};
    FieldLines lines;
    std::unique_ptr<ExactCopy> place;
};

void check(std::string_view input, LineEnd ends) {
    const ExactCopy copy(input);
    Section whole(ends);
    const Verdict verdict = whole.lines.parse(copy.view(), whole.fields);
    Section pieces(ends);
    require(pieces.pieces(input) == verdict, "the verdict does not depend on the pieces");
    require(pieces.lines.rejection().reason == whole.lines.rejection().reason, "same reason");
    require(pieces.lines.length() == whole.lines.length(), "same length");
    require(whole.fields.size() <= 10, "limited");
    require(std::ranges::equal(whole.fields, pieces.fields,
                               [](const HeaderField& a, const HeaderField& b) {
                                   return a.name == b.name && a.value == b.value;
                               }),
            "same fields");
    for (const HeaderField& field : whole.fields) {
        require(isToken(field.name), "names are tokens");
        require(std::ranges::all_of(field.value, [](char c) { return isIn(c, textChar); }),
                "no controls");
    }
    if (verdict == Verdict::complete) {
        require(whole.lines.length() <= 300, "limited");
        require(input[whole.lines.length() - 1] == '\n', "ends with its empty line");
    }
}

} // namespace

void fieldLines(std::string_view input) {
    check(input, LineEnd::crlf);
    check(input, LineEnd::crlfOrLf);
}

} // namespace reef::fuzz
