#include "compose/parser.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

using namespace reef;
using namespace reef::compose;

namespace {

/// Items as text: a run is itself, a directive `[name a=v]`, an error `!what`; neighbouring runs
/// are one.
std::string itemsOf(Parser& parser) {
    std::string out;
    while (const auto item = parser.next()) {
        if (const auto* run = std::get_if<TextRun>(&*item)) {
            CHECK_FALSE(run->bytes.empty());
            out += textOf(run->bytes);
        } else if (const auto* directive = std::get_if<Directive>(&*item)) {
            out += "[" + std::string(directive->name);
            for (const auto& attribute : directive->attributes) {
                out += " " + std::string(attribute.name);
                if (attribute.value) out += "=" + std::string(*attribute.value);
            }
            out += "]";
        } else {
            out += "!" + std::string(std::get<SyntaxError>(*item).what);
        }
    }
    return out;
}

std::string parsed(const std::vector<std::string>& pieces) {
    Parser parser;
    std::string out;
    for (const auto& piece : pieces) {
        parser.feed(bytesOf(piece));
        out += itemsOf(parser);
    }
    parser.finish();
    return out + itemsOf(parser);
}

bool within(ByteView part, std::string_view whole) {
    return part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size();
}

} // namespace

TEST_CASE("text and directives of a whole piece are views of it") {
    const std::string page = "head <!--#echo var=\"X\" b='it'--> tail";
    Parser parser;
    parser.feed(bytesOf(page));
    const auto head = parser.next();
    REQUIRE(head);
    CHECK(within(std::get<TextRun>(*head).bytes, page));
    const auto item = parser.next();
    REQUIRE(item);
    const auto& directive = std::get<Directive>(*item);
    CHECK(within(bytesOf(directive.name), page));
    REQUIRE(directive.attributes.size() == 2);
    CHECK(within(bytesOf(*directive.attributes[1].value), page));
    const auto tail = parser.next();
    REQUIRE(tail);
    CHECK(within(std::get<TextRun>(*tail).bytes, page));
    CHECK_FALSE(parser.next());
}

TEST_CASE("a start tag is found across every split, and what only begins like one is text") {
    const std::string page = "a<b<!--<!--#x y=z-->!<!--#<<!--#x-->";
    for (std::size_t first = 0; first <= page.size(); ++first) {
        for (std::size_t second = first; second <= page.size(); ++second) {
            const auto out = parsed(
                {page.substr(0, first), page.substr(first, second - first), page.substr(second)});
            INFO(first << " " << second);
            REQUIRE(out == "a<b<!--[x y=z]![<<!--#x]");
        }
    }
}

TEST_CASE("quotes, escapes and blanks of a directive") {
    struct Row {
        std::string directive;
        std::string expected;
    };
    const Row rows[] = {
        {"x", "[x]"},
        {"x ", "[x]"},
        {"x a", "[x a]"},
        {"x a=", "[x a=]"},
        {"x a=\"\"", "[x a=]"},
        {"x a b=c", "[x a b=c]"},
        {"x a = b", "[x a=b]"},
        {"x a\t=\r\n'b'", "[x a=b]"},
        {"x\va=b\fc=d", "[x a=b c=d]"},
        {"x a=\"b\"c=`d`e='f'", "[x a=b c=d e=f]"},
        {R"(x a="b\"c")", R"([x a=b"c])"},
        {R"(x a="b\'c\\d")", R"([x a=b\'c\\d])"},
        {R"(x a="b\\"c")", R"([x a=b\"c])"},
        {R"(x a='\'' b='\'')", "[x a=' b=']"},
        {R"(x a=b\"c)", R"([x a=b\"c])"},
        {"x a=it's b=\"q\"", "[x a=it's b=q]"},
        {"x a=\"-->\"", "[x a=-->]"},
        {"x a=b=c", "[x a=b=c]"},
        {"x=\"y\"", "[x=\"y\"]"},
        {"x -", "[x -]"},
        {" x", "[x]"},
        {" \n\t", "!no name follows the start tag"},
        {"", "!no name follows the start tag"},
        {"x =y", "!a value has no attribute name"},
        {"x a=\"b\"=c", "!a value has no attribute name"},
    };
    for (const Row& row : rows) {
        INFO(row.directive);
        const auto page = "<!--#" + row.directive + "-->";
        CHECK(parsed({page}) == row.expected);
        std::vector<std::string> bytes;
        for (const char c : page)
            bytes.emplace_back(1, c);
        CHECK(parsed(bytes) == row.expected);
    }
}

TEST_CASE("a long text comes in runs of bounded size") {
    const std::string page = std::string(3 * Parser::kMaxText + 7, '<') + "<!--#x-->";
    Parser parser;
    parser.feed(bytesOf(page));
    std::size_t bytes = 0;
    for (auto item = parser.next(); item; item = parser.next()) {
        if (std::holds_alternative<Directive>(*item)) break;
        const auto run = std::get<TextRun>(*item).bytes;
        REQUIRE(run.size() <= Parser::kMaxText);
        bytes += run.size();
    }
    CHECK(bytes == 3 * Parser::kMaxText + 7);
    CHECK_FALSE(parser.next());
}

TEST_CASE("a directive that is too long is one error, and the page goes on behind it") {
    const std::string longest(Parser::kMaxDirective - 2, 'y');
    CHECK(parsed({"<!--#x " + longest + "-->t"}) == "[x " + longest + "]t");
    for (const std::size_t size : {Parser::kMaxDirective - 1, 10 * Parser::kMaxDirective}) {
        const std::string page = "a<!--#x b=\"" + std::string(size, 'y') + "-->\"-->t<!--#z-->";
        CHECK(parsed({page}) == "a!a directive is too longt[z]");
        std::vector<std::string> pieces;
        for (std::size_t at = 0; at < page.size(); at += 100)
            pieces.push_back(page.substr(at, 100));
        CHECK(parsed(pieces) == "a!a directive is too longt[z]");
    }
    CHECK(parsed({"<!--#x " + std::string(9000, 'y')}) == "!a directive is too long");
    CHECK(parsed({"<!--#x " + std::string(9000, 'y'), "z"}) == "!a directive is too long");
}

TEST_CASE("what the page's end cuts off is text or an error") {
    CHECK(parsed({"a<"}) == "a<");
    CHECK(parsed({"a<!-", "-"}) == "a<!--");
    CHECK(parsed({"a<!--", "#"}) == "a!a directive does not end");
    CHECK(parsed({"<!--#x a=\"b\"--"}) == "!a directive does not end");
    CHECK(parsed({"<!--#x a=\"b-->"}) == "!a directive does not end");
    CHECK(parsed({""}).empty());
    CHECK(parsed({}).empty());
}

TEST_CASE("a directive knows the line of its start tag") {
    Parser parser;
    const std::string page = "1\n2\n<!--#a\n\n-->\n<!--#b-->";
    parser.feed(bytesOf(page));
    std::vector<std::size_t> lines;
    while (const auto item = parser.next()) {
        if (const auto* directive = std::get_if<Directive>(&*item))
            lines.push_back(directive->line);
    }
    CHECK(lines == std::vector<std::size_t>{3, 6});
}
