#include "compose/evaluate.h"

#include <catch2/catch.hpp>

using namespace reef;
using namespace reef::compose;

namespace {

/// Has the variable `a`, whose value is a hostile subject for regular expressions.
class World final : public ExpressionWorld {
public:
    std::optional<std::string> variable(std::string_view name) override {
        if (name != "a") return std::nullopt;
        return subject;
    }
    std::string serverVariable(std::string_view name) override { return std::string(name); }
    std::string requestField(std::string_view) override { return {}; }
    bool mayAccess(std::string_view path) override { return path == "/open"; }
    std::optional<bool> lies(std::string_view, std::string_view network) override {
        if (network == "bad") return std::nullopt;
        return network == "here";
    }
    std::expected<std::string, std::string> expand(std::string_view text, const Matched&) override {
        return text == "$a" ? subject : std::string(text);
    }

    std::string subject = "value";
};

/// "yes", "no", or what is wrong.
std::string outcome(std::string_view text, Dialect dialect, World& world, Matched& last) {
    const auto expression = parseExpression(text, dialect);
    if (!expression) return expression.error();
    const auto held = evaluate(*expression, world, last);
    if (!held) return held.error();
    return *held ? "yes" : "no";
}

std::string outcome(std::string_view text, Dialect dialect = Dialect::apache) {
    World world;
    Matched last;
    return outcome(text, dialect, world, last);
}

std::string times(int count, std::string_view text) {
    std::string out;
    for (int i = 0; i != count; ++i)
        out += text;
    return out;
}

} // namespace

TEST_CASE("an expression that is nested or long beyond measure is refused, and costs no stack") {
    CHECK(outcome(times(20, "(") + "true" + times(20, ")")) == "yes");
    for (const auto dialect : {Dialect::apache, Dialect::apacheLegacy}) {
        CHECK(outcome(times(100'000, "(") + "a" + times(100'000, ")"), dialect) ==
              "the expression is nested too deeply");
        CHECK(outcome(times(100'000, "!") + "a", dialect) == "the expression is nested too deeply");
        CHECK(outcome(times(50'000, "a && "), dialect) != "yes");
    }
    CHECK(outcome(times(5000, "true && ") + "true") == "the expression is too long");
    CHECK(outcome("'x' -in { " + times(200, "'y', ") + "'x' }") ==
          "the expression is nested too deeply");
    CHECK(outcome("'" + times(100, "%{v:") + times(100, "}") + "' = 'x'") ==
          "the expression is nested too deeply");
}

TEST_CASE("a regular expression that takes for ever on its subject is an error") {
    World world;
    world.subject = std::string(5000, 'a') + "!";
    Matched last;
    CHECK(outcome("v('a') =~ /^(a+)+$/", Dialect::apache, world, last)
              .ends_with("takes too long on its subject"));
    CHECK(outcome("$a = /^(a+)+$/", Dialect::apacheLegacy, world, last)
              .ends_with("takes too long on its subject"));
    CHECK(outcome("$a = /^(a+)+$/", Dialect::nginx, world, last)
              .ends_with("takes too long on its subject"));
    CHECK(outcome("v('a') =~ /(/").starts_with("the regular expression (: "));
}

TEST_CASE("captures last until the next match, and an error keeps them") {
    World world;
    Matched last;
    CHECK(outcome("'abc' =~ /(b)(c)/", Dialect::apache, world, last) == "yes");
    CHECK(last.parts[0] == "bc");
    CHECK(last.parts[2] == "c");
    CHECK(outcome("'abc' =~ /z/", Dialect::apache, world, last) == "no");
    CHECK(last.parts[1] == "b");
    CHECK(outcome("'abc' =~ /(a)/ && 'abc' =~ /(/", Dialect::apache, world, last) != "yes");
    CHECK(last.parts[1] == "b");
    CHECK(outcome("abc = /(?<first>a)(b)/", Dialect::nginx, world, last) == "yes");
    REQUIRE(last.named.size() == 1);
    CHECK(last.named[0] == std::pair<std::string, std::string>("first", "a"));
}

TEST_CASE("what an expression of ap_expr means does not hang on its blanks") {
    CHECK(outcome("'a'='a'") == "yes");
    CHECK(outcome("  ( true )  ") == "yes");
    CHECK(outcome("!( true )") == "no");
    CHECK(outcome("1-eq 1") == "yes");
    CHECK(outcome("'a'.'b'='ab'") == "yes");
    CHECK(outcome("true&&!false||false") == "yes");
}

TEST_CASE("an error of ap_expr says what was expected") {
    const struct {
        const char* text;
        const char* says;
    } cases[] = {
        {"", "the expression ends where a text is expected"},
        {"$name = 'x'", "$name is nothing here; v('name') is the variable of the page"},
        {"'a'", "a text alone is no condition; expected an operator before the end of the "
                "expression"},
        {"'a' = b", "b is no function and no text; texts stand in quotes"},
        {"-f '/x'", "-f looks at files, which pages may not"},
        {"file('/x') = ''", "file() looks at files, which pages may not"},
        {"nope('/x') = ''", "there is no function nope"},
        {"-Q 'x'", "there is no test -Q"},
        {"'a' -like 'b'", "there is no operator -like"},
        {"'a", "a text does not end"},
        {"'a' =~ /b", "the regular expression does not end"},
        {"'a' =~ 'b'", "expected a regular expression, /.../ or m#...#, before `'b'`"},
        {"(true", "expected a closing parenthesis before the end of the expression"},
        {"true 'a'", "unexpected `'a'`"},
        {"-R 'bad'", "bad is no address and no network"},
    };
    for (const auto& c : cases) {
        INFO(c.text);
        CHECK(outcome(c.text) == c.says);
    }
}

TEST_CASE("expressions ask the site about addresses, paths and documents") {
    CHECK(outcome("-R 'here'") == "yes");
    CHECK(outcome("-R 'there'") == "no");
    CHECK(outcome("'x' -ipmatch 'here'") == "yes");
    CHECK(outcome("-U '/open'") == "yes");
    CHECK(outcome("-A '/closed'") == "no");
    CHECK(outcome("-F 'DOCUMENT_ROOT/open'") == "yes"); // the fake root is called by its name
    CHECK(outcome("-F '/open'") == "no");
    CHECK(outcome("-A /open", Dialect::apacheLegacy) == "yes");
    CHECK(outcome("-A /closed", Dialect::apacheLegacy) == "no");
}
