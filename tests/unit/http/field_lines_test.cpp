#include "base/arena.h"
#include "http/field_lines.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>
#include <string>

using namespace reef;
using namespace reef::http;

namespace {

struct Section {
    explicit Section(FieldLimits limits = {}, LineEnd ends = LineEnd::crlf) : lines(limits, ends) {}

    /// One byte more each time, each time elsewhere; the last place stays.
    Verdict byteByByte(std::string_view text) {
        Verdict verdict = Verdict::incomplete;
        for (std::size_t size = 0; size <= text.size() && verdict == Verdict::incomplete; ++size) {
            auto moved = std::make_unique<char[]>(size);
            std::ranges::copy(text.substr(0, size), moved.get());
            place = std::move(moved);
            verdict = lines.parse({place.get(), size}, fields);
        }
        return verdict;
    }

    Arena arena;
    HeaderList fields{arena};
    FieldLines lines;
    std::unique_ptr<char[]> place;
};

} // namespace

TEST_CASE("a CGI program may end its lines with a bare LF, and mix") {
    const std::string text =
        "Status: 200 OK\nContent-Type:  text/html \r\nSet-Cookie: a\nSet-Cookie: b\n\n<html>";
    Section section({}, LineEnd::crlfOrLf);
    REQUIRE(section.byteByByte(text) == Verdict::complete);
    CHECK(section.lines.length() == text.find('<'));
    CHECK(section.fields.find("status") == "200 OK");
    CHECK(section.fields.find("content-type") == "text/html");
    CHECK(section.fields.count("set-cookie") == 2);

    Section strict;
    CHECK(strict.byteByByte(text) == Verdict::rejected);
    CHECK(strict.lines.rejection().reason == "bare LF");

    Section bareCr({}, LineEnd::crlfOrLf);
    CHECK(bareCr.byteByByte("A: b\rC: d\n\n") == Verdict::rejected);
}

TEST_CASE("an empty section is its empty line alone") {
    Section section;
    REQUIRE(section.byteByByte("\r\nrest") == Verdict::complete);
    CHECK(section.lines.length() == 2);
    CHECK(section.fields.empty());
    Section bare({}, LineEnd::crlfOrLf);
    REQUIRE(bare.byteByByte("\nrest") == Verdict::complete);
    CHECK(bare.lines.length() == 1);
}

TEST_CASE("a section may begin behind other bytes") {
    const std::string text = "HTTP/1.1 200 OK\r\nA: b\r\n\r\n";
    Section section;
    section.lines.startAt(17);
    REQUIRE(section.lines.parse(bytesOf(text), section.fields) == Verdict::complete);
    CHECK(section.lines.length() == text.size());
    CHECK(section.fields.find("a") == "b");
}

TEST_CASE("a section ends within its limits or is refused") {
    const std::string text = "A: b\r\nC: d\r\n\r\n";
    const auto verdictWith = [&](std::size_t bytes, std::size_t fields) {
        Section pieces({bytes, fields});
        Section whole({bytes, fields});
        const Verdict verdict = pieces.byteByByte(text);
        CHECK(whole.lines.parse(bytesOf(text), whole.fields) == verdict);
        if (verdict == Verdict::rejected) CHECK(pieces.lines.rejection().status == 431);
        return verdict;
    };
    CHECK(verdictWith(text.size(), 2) == Verdict::complete);
    CHECK(verdictWith(text.size(), 1) == Verdict::rejected);
    for (std::size_t bytes = 0; bytes < text.size(); ++bytes)
        CHECK(verdictWith(bytes, 2) == Verdict::rejected);
}

TEST_CASE("a control byte is found wherever it stands in a long line") {
    for (std::size_t place = 0; place < 70; ++place) {
        for (const char control : {'\0', '\x01', '\x08', '\x0b', '\x1f', '\x7f'}) {
            std::string text = "A: " + std::string(70, '\xfe') + "\r\n\r\n";
            Section good;
            CHECK(good.lines.parse(bytesOf(text), good.fields) == Verdict::complete);
            text[3 + place] = control;
            Section bad;
            CHECK(bad.lines.parse(bytesOf(text), bad.fields) == Verdict::rejected);
            CHECK(bad.lines.rejection().reason == "control byte");
        }
    }
}
