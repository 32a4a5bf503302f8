// What an include may say about fragments that are late, fail, or speak for the whole page.

#include "compose/composer.h"
#include "compose/fakes.h"

#include <catch2/catch.hpp>

using namespace reef;
using namespace reef::test;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;

namespace {

std::string included(std::string_view target, std::string_view more) {
    return "<!--#include virtual=\"" + std::string(target) + "\" " + std::string(more) + " -->";
}

const std::string kBlock = "<!--#block name=\"late\" -->(late)<!--#endblock -->";
const std::string kError = "[an error occurred while processing this directive]";

bool has(const std::vector<std::string>& fields, std::string_view field) {
    return std::ranges::find(fields, field) != fields.end();
}

} // namespace

TEST_CASE("a fragment that takes too long is replaced by its fallback, a block of the page") {
    coro::Event late;
    Composition page;
    page.host.islands["/slow"].hangs = true;
    page.host.deadlines["/slow"] = &late;
    page.send(kBlock + "1" + included("/slow", "timeout=\"300ms\" fallback=\"late\"") + "2");
    CHECK(page.host.timeouts == std::vector{300ms});
    CHECK(page.client.content == "1");
    late.set();
    page.turns.run();
    CHECK(page.client.content == "1(late)2");
    CHECK(page.client.ended);
    CHECK(page.host.running == 0);
    REQUIRE(page.host.problems.size() == 1);
    CHECK_THAT(page.host.problems.front(), Contains("504"));
}

TEST_CASE("a fallback that is no block is a path, and has no time limit of its own") {
    coro::Event late;
    Composition page;
    page.host.islands["/slow"].hangs = true;
    page.host.deadlines["/slow"] = &late;
    page.send(included("/slow", "timeout=\"1s\" fallback=\"/calm\""));
    late.set();
    page.turns.run();
    CHECK(page.client.content == "{virtual /calm}");
    CHECK(page.host.timeouts.size() == 1);
}

TEST_CASE("a fragment in time is not touched by its timeout") {
    Composition page;
    page.send(included("/quick", "timeout=\"1s\" fallback=\"/calm\""));
    CHECK(page.client.content == "{virtual /quick}");
    CHECK(page.host.started.size() == 1);
}

TEST_CASE("what of a late fragment has gone out stays, and the error text ends it") {
    coro::Event late;
    coro::Event never;
    Composition page;
    page.host.islands["/half"] = {"abcd"};
    page.host.islands["/half"].streams = true;
    page.host.islands["/half"].middle = &never;
    page.host.deadlines["/half"] = &late;
    page.send(included("/half", "timeout=\"1s\"") + ".");
    CHECK(page.client.content == "ab");
    late.set();
    page.turns.run();
    CHECK(page.client.content == "ab" + kError + ".");
}

TEST_CASE("a fragment that fails is tried again as often as its include says") {
    Composition page;
    page.host.islands["/shy"] = {"here"};
    page.host.islands["/shy"].failures = 2;
    SECTION("often enough") {
        page.send(included("/shy", "retry=\"2\""));
        CHECK(page.client.content == "here");
        CHECK(page.host.started.size() == 3);
    }
    SECTION("not often enough") {
        page.send(included("/shy", "retry=\"1\" fallback=\"/calm\""));
        CHECK(page.client.content == "{virtual /calm}");
        CHECK(page.host.started.size() == 3);
    }
    SECTION("in no time") {
        page.send(included("/shy", "retry=\"1\""));
        CHECK(page.client.content == kError);
        CHECK(page.host.started.size() == 2);
    }
}

TEST_CASE("what was refused would be refused again, and is not tried again") {
    Composition page;
    page.host.strict = true;
    page.send(included("/nowhere", "retry=\"5\""));
    CHECK(page.client.content == kError);
    CHECK(page.host.started.size() == 1);
}

TEST_CASE("a fragment of which something has gone out is not tried again") {
    coro::Event middle;
    Composition page;
    page.host.islands["/half"] = {"abcd"};
    auto& island = page.host.islands["/half"];
    island.streams = true;
    island.middle = &middle;
    island.fails = true;
    page.send(included("/half", "retry=\"5\""));
    CHECK(page.client.content == "ab");
    middle.set();
    page.turns.run();
    CHECK(page.client.content == "ab" + kError);
    CHECK(page.host.started.size() == 1);
}

TEST_CASE("a primary fragment gives the page its status, its cookies, and waits for nobody") {
    coro::Event ready;
    Composition page;
    auto& island = page.host.islands["/main"];
    island = {"no such article"};
    island.status = 404;
    island.gate = &ready;
    island.fields = {{"Set-Cookie", "a=1"}, {"X-Other", "stays there"}};
    page.send("<h1>" + included("/main", "primary=\"yes\"") + "</h1>");
    CHECK(page.client.calls.empty());
    ready.set();
    page.turns.run();
    CHECK(page.client.status == 404);
    CHECK(page.client.content == "<h1>no such article</h1>");
    CHECK(has(page.client.fields, "Set-Cookie: a=1"));
    CHECK_FALSE(has(page.client.fields, "X-Other: stays there"));
    CHECK(page.client.ended);
}

TEST_CASE("a primary fragment that leads elsewhere is the whole answer") {
    coro::Event ready;
    Composition page;
    auto& island = page.host.islands["/login"];
    island = {"see there"};
    island.status = 303;
    island.location = "/welcome";
    island.fields = {{"Set-Cookie", "session=1"}};
    page.host.islands["/slow"].hangs = true;
    SECTION("at once") {}
    SECTION("later") {
        island.gate = &ready;
    }
    SECTION("in a page that streams") {
        page.stream({"text ", includeOf("/slow"), included("/login", "primary=\"yes\""), " more"});
        CHECK(page.client.content == "text ");
        return; // it had left by then
    }
    page.send("text " + includeOf("/slow") + included("/login", "primary=\"yes\"") + "more");
    ready.set();
    page.turns.run();
    CHECK(page.client.status == 303);
    CHECK(page.client.content.empty());
    CHECK(has(page.client.fields, "Location: /welcome"));
    CHECK(has(page.client.fields, "Set-Cookie: session=1"));
    CHECK(page.client.ended);
    CHECK(page.host.running == 0);
    CHECK(page.outcome.value().has_value());
    CHECK(page.host.problems.empty());
}

TEST_CASE("a primary fragment runs although those before it fill all the room that the page has") {
    compose::Limits limits;
    limits.running = 2;
    limits.fragmentAhead = 10;
    Composition page("/p", limits);
    auto& huge = page.host.islands["/huge"] = {std::string(100, 'h')};
    huge.streams = true;
    page.host.islands["/main"] = {"gone"};
    page.host.islands["/main"].status = 410;
    page.send(includeOf("/huge") + includeOf("/huge") + includeOf("/huge") +
              included("/main", "primary=\"yes\"") + includeOf("/huge"));
    CHECK(page.client.status == 410);
    CHECK(page.client.content == std::string(300, 'h') + "gone" + std::string(100, 'h'));
    CHECK(page.client.ended);
}

TEST_CASE("a primary fragment that fails makes the page a failure, with its text around it") {
    Composition page;
    page.host.islands["/main"].throws = true;
    page.send("<" + included("/main", "primary=\"yes\"") + ">");
    CHECK(page.client.status == 500);
    CHECK(page.client.content == "<" + kError + ">");
}

TEST_CASE("a primary fragment with a fallback fails without the visitor being told") {
    Composition page;
    page.host.islands["/main"].status = 503;
    page.send(included("/main", "primary=\"yes\" fallback=\"/calm\""));
    CHECK(page.client.status == 200);
    CHECK(page.client.content == "{virtual /calm}");
}

TEST_CASE("only one fragment is primary, and only before the page has begun to leave") {
    coro::Event ready;
    Composition page;
    page.host.islands["/a"].status = 404;
    page.host.islands["/b"].status = 410;
    SECTION("the first one counts") {
        page.send(included("/a", "primary=\"yes\"") + included("/b", "primary=\"yes\""));
        CHECK(page.client.status == 404);
        CHECK_THAT(page.host.problems.front(), Contains("another fragment"));
    }
    SECTION("too late") {
        page.stream({"text", included("/a", "primary=\"yes\"")});
        CHECK(page.client.status == 200);
        CHECK_THAT(page.host.problems.front(), Contains("too late"));
    }
}

TEST_CASE("cookies, links and Vary of fragments go with the page's head, or are told to be late") {
    Composition page;
    auto& island = page.host.islands["/part"];
    island = {"part"};
    island.fields = {{"Set-Cookie", "a=1"},
                     {"Link", "</a.css>; rel=preload"},
                     {"Vary", "Cookie, Accept-Language"}};
    SECTION("in time") {
        page.send(includeOf("/part") + includeOf("/part"));
        CHECK(page.client.fields ==
              std::vector<std::string>{"Content-Type: text/html", "Set-Cookie: a=1",
                                       "Link: </a.css>; rel=preload", "Vary: Cookie",
                                       "Vary: Accept-Language", "Set-Cookie: a=1",
                                       "Link: </a.css>; rel=preload", "Cache-Control: private",
                                       page.client.fields.back()});
        CHECK(page.client.fields.back().starts_with("ETag: \""));
    }
    SECTION("late") {
        coro::Event ready;
        island.gate = &ready;
        page.send(includeOf("/part"));
        ready.set();
        page.turns.run();
        CHECK(page.client.content == "part");
        CHECK(page.client.fields == std::vector<std::string>{"Content-Type: text/html"});
        REQUIRE(page.host.problems.size() == 1);
        CHECK_THAT(page.host.problems.front(), Contains("cookie too late"));
    }
}

TEST_CASE("params puts variables into the query, encoded, and headers into fields") {
    Composition page;
    page.send("<!--#set var=\"who\" value=\"a&b c\" --><!--#set var=\"n_o\" value=\"1\" -->" +
              included("/x", "params=\"who, n_o,none\"") +
              included("/y?z", "params=\"n_o\" headers=\"n_o\""));
    CHECK(page.host.started ==
          std::vector<std::string>{"/x?who=a%26b+c&n_o=1&none=", "/y?z&n_o=1"});
    CHECK(page.host.fields == std::vector<std::string>{"SSI-n-o: 1"});
}

TEST_CASE("a value that no field may hold is an error") {
    Composition page;
    page.send("<!--#set var=\"x\" value=\"a\nb\" -->" + included("/x", "headers=\"x\""));
    CHECK(page.client.content == kError);
    CHECK(page.host.started.empty());
}

TEST_CASE("what an include says wrongly is an error that names it") {
    const auto* const more =
        GENERATE("timeout=\"0s\"", "timeout=\"soon\"", "timeout=\"2h\"", "ttl=\"300ms\"",
                 "stale=\"-1s\"", "retry=\"6\"", "retry=\"x\"", "primary=\"1\"", "params=\"a b\"",
                 "headers=\"$a\"", "fallback=\"http://x/\"");
    CAPTURE(more);
    Composition page;
    page.send(included("/x", more));
    CHECK(page.client.content == kError);
    REQUIRE(page.host.problems.size() == 1);
    const std::string_view text = more;
    CHECK_THAT(page.host.problems.front(), Contains(std::string(text.substr(0, text.find('=')))));
}

TEST_CASE("what an include says about time is for the site to know") {
    Composition page;
    page.send("<!--#set var=\"t\" value=\"60s\" -->" + included("/x", "ttl=\"$t\" stale=\"10m\""));
    REQUIRE(page.host.keepings.size() == 1);
    CHECK(page.host.keepings.front().ttl == 60s);
    CHECK(page.host.keepings.front().stale == 600s);
}

TEST_CASE("a page that leaves at once has an entity tag of its content") {
    const auto tagOf = [](const std::string& text, int status = 200) {
        Composition page;
        page.host.islands["/main"] = {"x"};
        page.host.islands["/main"].status = status;
        page.send(text);
        for (const auto& field : page.client.fields)
            if (field.starts_with("ETag: ")) return field;
        return std::string();
    };
    const auto tag = tagOf("<p>" + includeOf("/a") + "</p>");
    CHECK(tag.size() == std::string("ETag: \"\"").size() + 32);
    CHECK(tag == tagOf("<p>{virtual /a}</p>"));
    CHECK(tag != tagOf("<p>" + includeOf("/b") + "</p>"));
    CHECK(tagOf(included("/main", "primary=\"yes\""), 404).empty());
}

TEST_CASE("a page may be kept as long as the part that may be kept least") {
    const auto said = [](const std::string& first, const std::string& second) {
        Composition page;
        page.host.islands["/a"] = {"a"};
        page.host.islands["/b"] = {"b"};
        if (!first.empty()) page.host.islands["/a"].fields = {{"Cache-Control", first}};
        if (!second.empty())
            page.host.islands["/b"].fields = {{"Cache-Control", second}, {"Age", "20"}};
        page.send(includeOf("/a") + includeOf("/b"));
        for (const auto& field : page.client.fields)
            if (field.starts_with("Cache-Control: "))
                return field.substr(std::string("Cache-Control: ").size());
        return std::string();
    };
    CHECK(said("max-age=600", "max-age=60") == "max-age=40");
    CHECK(said("max-age=600", "max-age=10") == "max-age=0");
    CHECK(said("max-age=600", "").empty());
    CHECK(said("", "").empty());
    CHECK(said("private", "max-age=60") == "private");
    CHECK(said("private, max-age=30", "no-cache, max-age=60") == "private, no-cache, max-age=30");
    CHECK(said("no-store", "private") == "no-store");
}
