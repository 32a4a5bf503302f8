// What of a page waits for a fragment, and what stands in for one that fails.

#include "compose/composer.h"
#include "compose/fakes.h"

#include <catch2/catch.hpp>

using namespace reef;
using namespace reef::test;

namespace {

std::string included(std::string_view target, std::string_view more) {
    return "<!--#include virtual=\"" + std::string(target) + "\" " + std::string(more) + " -->";
}

std::string echoOf(std::string_view name) {
    return "<!--#echo var=\"" + std::string(name) + "\" -->";
}

compose::PageRules rulesOf(compose::Dialect dialect) {
    compose::PageRules rules(compose::Compose::all);
    rules.dialect = dialect;
    return rules;
}

} // namespace

TEST_CASE("a directive that speaks of a fragment's variable waits for it, and nothing else does") {
    coro::Event ready;
    Composition page;
    page.host.islands["/slow"] = {"<b>"};
    page.host.islands["/slow"].gate = &ready;
    page.send("1" + included("/slow", "set=\"v\"") + "2" + includeOf("/other") + echoOf("QUERY") +
              "3<!--#set var=\"w\" value=\"[$v]\" -->4" + includeOf("/late"));
    CHECK(page.host.started == std::vector<std::string>{"/slow", "/other"});
    CHECK(page.client.content == "1");
    ready.set();
    page.turns.run();
    CHECK(page.host.started == std::vector<std::string>{"/slow", "/other", "/late"});
    CHECK(page.client.content == "12{virtual /other}(none)34{virtual /late}");
    CHECK(page.outcome.value().has_value());
}

TEST_CASE("a condition waits for every variable that is still on its way") {
    coro::Event ready;
    Composition page;
    page.host.islands["/user"] = {"anna"};
    page.host.islands["/user"].gate = &ready;
    page.stream({included("/user", "set=\"user\""), "<!--#if expr=\"v('us' . 'er') = 'anna'\" -->",
                 "Hello", "<!--#else -->", "Who?", "<!--#endif -->", "."});
    CHECK_FALSE(page.outcome);
    CHECK(page.piecesTaken == 1);
    ready.set();
    page.turns.run();
    CHECK(page.client.content == "Hello.");
    CHECK(page.client.ended);
}

TEST_CASE("two variables that arrive in the wrong order are both there when they are needed") {
    coro::Event first;
    coro::Event second;
    Composition page;
    page.host.islands["/1"] = {"one"};
    page.host.islands["/1"].gate = &first;
    page.host.islands["/2"] = {"two"};
    page.host.islands["/2"].gate = &second;
    page.send(included("/1", "set=\"a\"") + included("/2", "set=\"b\"") + echoOf("b") +
              echoOf("a"));
    second.set();
    page.turns.run();
    CHECK(page.client.content.empty());
    CHECK_FALSE(page.client.ended);
    first.set();
    page.turns.run();
    CHECK(page.client.content == "twoone");
    CHECK(page.client.ended);
}

TEST_CASE("with nginx every directive behind a set waits") {
    coro::Event ready;
    Composition page("/dir/page.shtml", {}, rulesOf(compose::Dialect::nginx));
    page.host.islands["/slow"] = {"s"};
    page.host.islands["/slow"].gate = &ready;
    page.send(included("/slow", "set=\"v\"") + "text" + includeOf("/other"));
    CHECK(page.host.started == std::vector<std::string>{"/slow"});
    ready.set();
    page.turns.run();
    CHECK(page.client.content == "text{virtual /other}");
}

TEST_CASE("an include that is awaited holds all directives behind it, and keeps its place") {
    coro::Event ready;
    Composition page;
    page.host.islands["/slow"] = {"slow"};
    page.host.islands["/slow"].gate = &ready;
    page.send("a" + included("/slow", "wait=\"yes\"") + "b" + includeOf("/other") + "c");
    CHECK(page.host.started == std::vector<std::string>{"/slow"});
    ready.set();
    page.turns.run();
    CHECK(page.client.content == "aslowb{virtual /other}c");
}

TEST_CASE("what a page behind an awaited include needs of its variables comes back") {
    coro::Event ready;
    Composition page;
    auto& child = page.host.islands["/child"] = {"<!--#set var=\"title\" value=\"$x!\" -->(" +
                                                 includeOf("/inner") + ")"};
    child.composed = true;
    page.host.islands["/inner"] = {"inner"};
    page.host.islands["/inner"].gate = &ready;
    page.send("<!--#set var=\"x\" value=\"X\" -->" + included("/child", "") + echoOf("title"));
    // Its directives have all been performed, although what it includes has not come.
    ready.set();
    page.turns.run();
    CHECK(page.client.content == "(inner)X!");
}

TEST_CASE("a variable that arrives while a page is awaited is not lost by what that page sets") {
    coro::Event first;
    coro::Event second;
    Composition page;
    page.host.islands["/slow"] = {"S"};
    page.host.islands["/slow"].gate = &first;
    auto& child = page.host.islands["/child"] = {
        "<!--#set var=\"t\" value=\"T\" --><!--#set var=\"x\" value=\"new\" -->"};
    child.composed = true;
    child.gate = &second;
    page.send("<!--#set var=\"x\" value=\"old\" --><!--#set var=\"y\" value=\"Y\" -->" +
              included("/slow", "set=\"v\"") + included("/child", "wait=\"yes\"") + echoOf("v") +
              echoOf("t") + echoOf("x") + echoOf("y"));
    first.set();
    page.turns.run();
    second.set();
    page.turns.run();
    CHECK(page.client.content == "STnewY");
}

TEST_CASE("what an island's page sets comes too late unless it is awaited") {
    for (const bool awaited : {false, true}) {
        INFO(awaited);
        coro::Event ready;
        Composition page;
        auto& child = page.host.islands["/child"] = {"<!--#set var=\"t\" value=\"T\" -->c"};
        child.composed = true;
        child.gate = &ready;
        page.send(included("/child", awaited ? "wait=\"yes\"" : "") + echoOf("t"));
        ready.set();
        page.turns.run();
        CHECK(page.client.content == (awaited ? "cT" : "c(none)"));
    }
}

TEST_CASE("a fragment that fails leaves its variable empty, one that is too long too") {
    compose::Limits limits;
    limits.fragmentAhead = 100;
    Composition page("/p", limits);
    page.host.islands["/broken"] = {"text"};
    page.host.islands["/broken"].status = 500;
    page.host.islands["/long"] = {std::string(101, 'x')};
    page.host.islands["/fits"] = {std::string(100, 'y')};
    page.send(included("/broken", "set=\"a\"") + included("/long", "set=\"b\"") +
              included("/fits", "set=\"c\"") + "[" + echoOf("a") + echoOf("b") + echoOf("c") + "]");
    CHECK(page.client.content == "[" + std::string(100, 'y') + "]");
    CHECK(page.host.problems ==
          std::vector<std::string>{
              "line 1: include of /broken answered with status 500",
              "line 1: include of /long is longer than the 100 bytes that a variable may have"});
}

TEST_CASE("what stands in for a fragment is tried in order, and each only when it is needed") {
    struct Case {
        const char* attributes;
        const char* comes;
        std::size_t problems;
    };
    const std::string block = "<!--#block name=\"b\" -->stub" + echoOf("x") + "<!--#endblock -->";
    const Case cases[] = {
        {"onerror=\"/good\"", "good", 1},
        {"stub=\"b\"", "stubX", 1},
        {"onerror=\"/good\" stub=\"b\"", "good", 1},
        {"onerror=\"/bad2\" stub=\"b\"", "stubX", 2},
        {"onerror=\"/bad2\"", "[an error occurred while processing this directive]", 2},
        {"onerror=\"/good\" set=\"v\"", "", 1},
    };
    for (const Case& c : cases) {
        INFO(c.attributes);
        Composition page;
        page.host.islands["/bad"] = {"bad"};
        page.host.islands["/bad"].status = 404;
        page.host.islands["/bad2"] = {"bad"};
        page.host.islands["/bad2"].fails = true;
        page.host.islands["/good"] = {"good"};
        page.send("<!--#set var=\"x\" value=\"X\" -->" + block + included("/bad", c.attributes) +
                  "." + included("/good", c.attributes));
        CHECK(page.client.content == std::string(c.comes) + "." +
                                         (std::string(c.attributes).contains("set") ? "" : "good"));
        CHECK(page.host.problems.size() == c.problems);
        CHECK(page.client.ended);
    }
}

TEST_CASE("a block that names itself as its stub ends") {
    Composition page;
    page.host.islands["/bad"] = {"bad"};
    page.host.islands["/bad"].status = 404;
    page.send("<!--#block name=\"b\" -->" + included("/bad", "stub=\"b\"") + "<!--#endblock -->" +
              included("/bad", "stub=\"b\""));
    CHECK(page.client.content == "[an error occurred while processing this directive]");
    CHECK(page.client.ended);
}

TEST_CASE("a client that leaves a page which waits for a variable drops the fragment") {
    Composition page;
    page.host.islands["/never"].hangs = true;
    page.send("a" + included("/never", "set=\"v\"") + echoOf("v"));
    CHECK(page.host.running == 1);
    page.turns.scope.dropAll();
    page.composer.reset();
    CHECK(page.host.running == 0);
}

TEST_CASE("commands and programs run only where that is allowed") {
    compose::PageRules rules(compose::Compose::all);
    Composition off("/dir/page.shtml?q=1", {}, rules);
    off.send("<!--#exec cmd=\"date\" --><!--#exec cgi=\"/cgi-bin/a\" -->");
    CHECK(off.host.started.empty());
    CHECK(off.host.problems.size() == 2);

    rules.exec = true;
    Composition on("/dir/page.shtml?q=1", {}, rules);
    on.send("<!--#set var=\"a\" value=\"A\" --><!--#exec cmd=\"echo $a $HOME ${b}\" -->"
            "<!--#exec cgi=\"/cgi-bin/a\" --><!--#exec cgi=\"/cgi-bin/b?x=1\" -->");
    CHECK(on.host.started ==
          std::vector<std::string>{"echo A $HOME ${b}", "/cgi-bin/a?q=1", "/cgi-bin/b?x=1"});
    CHECK(on.host.problems.empty());
}

TEST_CASE("a program of exec that leads elsewhere is shown as a link") {
    compose::PageRules rules(compose::Compose::all);
    rules.exec = true;
    for (const bool streams : {false, true}) {
        Composition page("/dir/page.shtml", {}, rules);
        auto& island = page.host.islands["/cgi-bin/go"] = {"moved"};
        island.status = 302;
        island.location = "/there?a=\"b\"";
        island.streams = streams;
        page.send("<!--#exec cgi=\"/cgi-bin/go\" -->.");
        CHECK(page.client.content ==
              "<a href=\"/there?a=&quot;b&quot;\">/there?a=&quot;b&quot;</a>.");
        CHECK(page.host.problems.empty());
    }
}

TEST_CASE("a page may set so much and no more") {
    Composition page;
    std::string text = "<!--#set var=\"a\" value=\"" + std::string(8000, 'x') + "\" -->";
    for (int i = 0; i != 10; ++i)
        text += "<!--#set var=\"a\" value=\"$a$a\" -->";
    page.send(text);
    CHECK(page.client.content.contains("[an error occurred"));
    CHECK(page.host.problems.size() > 0);
    CHECK(page.client.ended);
}

TEST_CASE("what is left open at the end of a page is told") {
    Composition page;
    page.send("a<!--#if expr=\"false\" -->b<!--#block name=\"x\" -->c");
    CHECK(page.client.content == "a");
    CHECK(page.host.problems == std::vector<std::string>{"line 0: an if is not closed by endif"});
    Composition block;
    block.send("a<!--#block name=\"x\" -->c");
    CHECK(block.host.problems ==
          std::vector<std::string>{"line 0: a block is not closed by endblock"});
}
