#include "compose/composer.h"
#include "compose/fakes.h"

#include <catch2/catch.hpp>
#include <cstdio>
#include <vector>

using namespace reef;
using namespace reef::test;
using Calls = std::vector<std::string>;

namespace {

const std::string kFailed = "[an error occurred while processing this directive]";

} // namespace

TEST_CASE("a page whose fragments are all there at once goes out by one send") {
    Composition page;
    page.host.islands["/one"] = {"1"};
    page.host.islands["/two"] = {"2"};
    page.send("<a><!--#include virtual=\"/one\"--><b><!--#include virtual=\"/two\"--><c>");
    CHECK(page.client.calls == Calls{"send"});
    CHECK(page.client.content == "<a>1<b>2<c>");
    REQUIRE(page.client.fields.size() == 2);
    CHECK(page.client.fields.front() == "Content-Type: text/html");
    CHECK(page.client.fields.back().starts_with("ETag: "));
    CHECK(page.outcome.value().has_value());
    CHECK(page.host.problems.empty());
}

TEST_CASE("an empty page and a page of one empty fragment are sent") {
    Composition empty;
    empty.send("");
    CHECK(empty.client.calls == Calls{"send"});
    Composition page;
    page.host.islands["/none"] = {""};
    page.send("<!--#include virtual=\"/none\"-->");
    CHECK(page.client.calls == Calls{"send"});
    CHECK(page.client.content.empty());
}

TEST_CASE("the text before the first unfinished fragment leaves at once") {
    coro::Event ready;
    Composition page;
    page.host.islands["/slow"] = {"slow"};
    page.host.islands["/slow"].gate = &ready;
    page.send("head <!--#include virtual=\"/fast\"--> <!--#include virtual=\"/slow\"--> tail");
    CHECK(page.client.calls == Calls{"begin", "write"});
    CHECK(page.client.content == "head {virtual /fast} ");
    CHECK_FALSE(page.outcome);
    ready.set();
    page.turns.run();
    CHECK(page.client.content == "head {virtual /fast} slow tail");
    CHECK(page.client.calls == Calls{"begin", "write", "write", "end"});
    CHECK(page.outcome.value().has_value());
}

TEST_CASE("a page that begins with an unfinished fragment shows its head at once") {
    coro::Event ready;
    Composition page;
    page.host.islands["/slow"] = {"slow"};
    page.host.islands["/slow"].gate = &ready;
    page.send("<!--#include virtual=\"/slow\"-->");
    CHECK(page.client.calls == Calls{"begin", "flush"});
    ready.set();
    page.turns.run();
    CHECK(page.client.calls == Calls{"begin", "flush", "write", "end"});
    CHECK(page.client.content == "slow");
}

TEST_CASE("fragments start together and come out in document order, whichever is ready first") {
    const std::vector<std::vector<int>> orders = {{0, 1, 2}, {2, 1, 0}, {1, 2, 0}, {1, 0, 2}};
    for (const auto& order : orders) {
        for (const bool streamed : {false, true}) {
            coro::Event ready[3];
            Composition page;
            std::string text;
            for (int i = 0; i != 3; ++i) {
                const auto path = "/" + std::to_string(i);
                page.host.islands[path] = {"<" + std::to_string(i) + ">"};
                page.host.islands[path].gate = &ready[i];
                page.host.islands[path].streams = streamed;
                text += "t<!--#include virtual=\"" + path + "\"-->";
            }
            page.send(text);
            CHECK(page.host.running == 3);
            for (const int next : order) {
                ready[next].set();
                page.turns.run();
            }
            CHECK(page.client.content == "t<0>t<1>t<2>");
            CHECK(page.client.ended);
        }
    }
}

TEST_CASE("the first unfinished fragment streams") {
    coro::Event more;
    Composition page;
    page.host.islands["/stream"] = {"firstsecond"};
    page.host.islands["/stream"].body = "first.second";
    page.host.islands["/stream"].middle = &more;
    page.host.islands["/stream"].streams = true;
    page.send("a<!--#include virtual=\"/stream\"-->b");
    CHECK(page.client.content == "afirst.");
    more.set();
    page.turns.run();
    CHECK(page.client.content == "afirst.secondb");
}

TEST_CASE("includes in a page that is written bit by bit start as they are parsed") {
    coro::Event first;
    coro::Event second;
    Composition page;
    page.host.islands["/1"] = {"[1]"};
    page.host.islands["/1"].gate = &first;
    page.host.islands["/2"] = {"[2]"};
    page.host.islands["/2"].gate = &second;
    page.stream({"a<!--#include virtual=\"/1\"-->b", "c<!--#include virtual=\"/2\"-->d", "e"});
    CHECK(page.host.running == 2);
    CHECK(page.client.content == "a");
    second.set();
    page.turns.run();
    CHECK(page.client.content == "a");
    first.set();
    page.turns.run();
    CHECK(page.client.content == "a[1]bc[2]de");
    CHECK(page.outcome.value().has_value());
}

TEST_CASE("text that is written while nothing is unfinished goes straight through") {
    Composition page;
    page.stream({"a<!--#include virtual=\"/x\"-->", "b", "c"});
    CHECK(page.client.writes == Calls{"a{virtual /x}", "b", "c"});
    CHECK(page.client.calls == Calls{"begin", "write", "write", "write", "end"});
}

TEST_CASE("a failing fragment leaves the error text, and the page goes on") {
    struct Row {
        std::string name;
        Island island;
        std::string left;
        std::string problem;
    };
    std::vector<Row> rows;
    const auto row = [&](std::string name, std::string problem) -> Island& {
        rows.push_back({std::move(name), {"body"}, kFailed, std::move(problem)});
        return rows.back().island;
    };
    rows.reserve(16);
    row("failure", "failed with status 502: the island died").fails = true;
    row("not found", "answered with status 404").status = 404;
    row("redirect", "answered with status 302").status = 302;
    row("server error, streamed", "answered with status 500").status = 500;
    rows.back().island.streams = true;
    row("exception", "failed with status 500: a bug in the host").throws = true;
    row("short", "announced 99 bytes and sent 4").streams = true;
    rows.back().island.announced = 99;
    row("cut after some of it", "failed with status 502: the island died").streams = true;
    rows.back().island.fails = true;
    row("no end", "its answer broke off").streams = true;
    rows.back().island.breaksOff = true;
    for (auto& [name, island, left, problem] : rows) {
        INFO(name);
        Composition page;
        page.host.islands["/bad"] = island;
        page.send("a<!--#include virtual=\"/bad\"-->b\n<!--#include virtual=\"/good\"-->");
        CHECK(page.client.content == "a" + left + "b\n{virtual /good}");
        CHECK(page.host.problems == Calls{"line 1: include of /bad " + problem});
        CHECK(page.host.pages == Calls{"/dir/page.shtml"});
        CHECK(page.outcome.value().has_value());
        CHECK(page.client.status == 200);
    }
}

TEST_CASE("a fragment that fails after some of it has left: the error text follows it") {
    coro::Event more;
    Composition page;
    auto& island = page.host.islands["/bad"] = {"leftlost"};
    island.middle = &more;
    island.streams = true;
    island.fails = true;
    page.send("a<!--#config errmsg=\"<oops>\"--><!--#include virtual=\"/bad\"-->b");
    CHECK(page.client.content == "aleft");
    more.set();
    page.turns.run();
    // "lost" and the failure came before the page's next turn: what had not left is discarded.
    CHECK(page.client.content == "aleft<oops>b");
}

TEST_CASE("the error text of a fragment is the one that holds where it is included") {
    Composition page;
    page.host.strict = true;
    page.send(
        "<!--#include virtual=\"/x\"--><!--#config errmsg=\"E\"--><!--#include virtual=\"/x\"-->"
        "<!--#config errmsg=\"F\"-->");
    CHECK(page.client.content == kFailed + "E");
}

TEST_CASE("HEAD runs no fragment and has the page's fields") {
    Composition page;
    page.page.request.method = http::Method::head;
    page.send("a<!--#include virtual=\"/x\"-->");
    CHECK(page.host.started.empty());
    CHECK(page.client.calls == Calls{"begin", "end"});
    CHECK_FALSE(page.client.length);
    Composition streamed;
    streamed.page.request.method = http::Method::head;
    streamed.stream({"a<!--#include virtual=\"/x\"-->", "b"});
    CHECK(streamed.host.started.empty());
    CHECK(streamed.client.content.empty());
    CHECK(streamed.client.calls == Calls{"begin", "end"});
}

TEST_CASE("what is not to be composed passes untouched, with its length") {
    Turns turns;
    PageRequest request("/x");
    FakeHost host;
    RecordingSink client;
    compose::Composer composer(host, request.request, client, nullptr);
    http::ResponseHead head(request.arena);
    head.fields.add("Content-Type", "application/json");
    head.fields.add("ETag", "\"e\"");
    const std::string text = "{\"a\": \"<!--#include virtual='/x'-->\"}";
    auto task = http::sendPiece(composer, head, bytesOf(text));
    std::optional<Status> outcome;
    turns.scope.start([](Task<Status> work, std::optional<Status>& out) -> Task<void> {
        out = co_await std::move(work);
    }(std::move(task), outcome));
    turns.run();
    CHECK(outcome.value().has_value());
    CHECK(client.calls == Calls{"send"});
    CHECK(client.content == text);
    CHECK(client.fields.size() == 2);
    CHECK(host.started.empty());
}

TEST_CASE("a page in a file is composed, also one that is too long to be read at once") {
    for (const std::size_t padding : {std::size_t{0}, std::size_t{3} << 20U}) {
        std::FILE* const file = std::tmpfile();
        REQUIRE(file != nullptr);
        const std::string before(padding, 'x');
        const std::string text = "?" + before + "<!--#include virtual=\"/a\"-->" + before + "end";
        REQUIRE(std::fwrite(text.data(), 1, text.size(), file) == text.size());
        REQUIRE(std::fflush(file) == 0);
        Turns turns;
        PageRequest request("/page.shtml");
        FakeHost host;
        RecordingSink client;
        compose::Composer composer(host, request.request, client, nullptr, compose::Compose::all);
        http::ResponseHead head(request.arena);
        std::optional<Status> outcome;
        turns.scope.start([](Task<Status> work, std::optional<Status>& out) -> Task<void> {
            out = co_await std::move(work);
        }(composer.sendFile(head, fileno(file), 1, text.size() - 1), outcome));
        turns.run();
        CHECK(outcome.value().has_value());
        CHECK(client.content == before + "{virtual /a}" + before + "end");
        CHECK(client.ended);
        std::fclose(file);
    }
}

TEST_CASE("the date of the client's page reaches what it includes") {
    setenv("TZ", "UTC", 1);
    Turns turns;
    PageRequest request("/page.shtml");
    FakeHost host;
    host.islands["/part"] = {"<!--#echo var=\"LAST_MODIFIED\"-->"};
    host.islands["/part"].composed = true;
    RecordingSink client;
    compose::Composer composer(host, request.request, client, nullptr, compose::Compose::all);
    http::ResponseHead head(request.arena);
    head.fields.add("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT");
    const std::string text = "<!--#include virtual=\"/part\"-->";
    std::optional<Status> outcome;
    turns.scope.start([](Task<Status> work, std::optional<Status>& out) -> Task<void> {
        out = co_await std::move(work);
    }(http::sendPiece(composer, head, bytesOf(text)), outcome));
    turns.run();
    CHECK(client.content == "Sunday, 06-Nov-1994 08:49:37 UTC");
    CHECK(client.fields.size() == 1); // its entity tag
}

TEST_CASE("an included page is composed, with the page's problems told by its own name") {
    Composition page;
    page.host.islands["/menu"] = {"m<!--#include virtual=\"item\"-->\n<!--#nope-->m"};
    page.host.islands["/menu"].composed = true;
    page.send("a<!--#include virtual=\"/menu\"-->b");
    CHECK(page.client.content == "am{virtual /item}\n" + kFailed + "mb");
    CHECK(page.client.calls == Calls{"send"});
    CHECK(page.host.problems == Calls{"line 2: nope: unknown directive"});
    CHECK(page.host.pages == Calls{"/menu"});
}

TEST_CASE("a page that includes itself through others ends at the cycle") {
    Composition page("/a");
    page.host.islands["/a"] = {"a(<!--#include virtual=\"/b\"-->)"};
    page.host.islands["/a"].composed = true;
    page.host.islands["/b"] = {"b(<!--#include virtual=\"/a\"-->)"};
    page.host.islands["/b"].composed = true;
    page.send("a(<!--#include virtual=\"/b\"-->)");
    CHECK(page.client.content == "a(b(" + kFailed + "))");
    CHECK(page.host.problems ==
          Calls{"line 1: include virtual=\"/a\": the page would include itself"});
}

TEST_CASE("a chain of ever new pages ends at the depth limit") {
    Composition page("/0");
    for (int i = 0; i != 20; ++i) {
        auto& island = page.host.islands["/" + std::to_string(i)];
        island.body = "(<!--#include virtual=\"/" + std::to_string(i + 1) + "\"-->)";
        island.composed = true;
    }
    page.send(page.host.islands["/0"].body);
    CHECK(page.client.content == std::string(11, '(') + kFailed + std::string(11, ')'));
    CHECK(page.host.started.size() == 10);
}

TEST_CASE("pages that multiply are stopped by the budget of the whole page") {
    compose::Limits limits;
    limits.fragments = 50;
    Composition page("/top", limits);
    std::string body;
    for (int i = 0; i != 10; ++i)
        body += "<!--#include virtual=\"/x?" + std::to_string(i) + "\"-->";
    page.host.islands["/x"] = {body};
    page.host.islands["/x"].composed = true;
    page.send(body);
    CHECK(page.host.started.size() == 50);
    CHECK(page.outcome.value().has_value());
    CHECK(page.client.ended);
}
