// What bounds a page: memory, permits, fragments at work.

#include "compose/composer.h"
#include "compose/fakes.h"

#include <catch2/catch.hpp>
#include <deque>
#include <random>
#include <vector>

using namespace reef;
using namespace reef::test;
using Calls = std::vector<std::string>;

TEST_CASE(
    "a fragment that runs ahead is paused at its limit, and goes on when the page comes to it") {
    compose::Limits limits;
    limits.fragmentAhead = 1000;
    coro::Event ready;
    Composition page("/p", limits);
    page.host.islands["/slow"] = {"slow"};
    page.host.islands["/slow"].gate = &ready;
    auto& huge = page.host.islands["/huge"] = {std::string(100, 'h')};
    huge.streams = true;
    huge.times = 1000;
    page.send("a" + includeOf("/slow") + "b" + includeOf("/huge") + "c");
    CHECK(page.host.written == 1000);
    CHECK(page.client.content == "a");
    ready.set();
    page.turns.run();
    CHECK(page.host.written == 100'000);
    CHECK(page.client.content == "aslowb" + std::string(100'000, 'h') + "c");
    CHECK(page.outcome.value().has_value());
}

TEST_CASE("a fragment that streams waits for a slow client") {
    compose::Limits limits;
    limits.fragmentAhead = 1000;
    coro::Event taken;
    Composition page("/p", limits);
    page.client.gate = &taken;
    auto& huge = page.host.islands["/huge"] = {std::string(100, 'h')};
    huge.streams = true;
    huge.times = 1000;
    page.send("a" + includeOf("/huge"));
    CHECK(page.host.written == 1000); // "a" is on its way to the client
    for (std::size_t turn = 0; turn != 5; ++turn) {
        taken.pulse();
        page.turns.run();
        CHECK(page.host.written <= 1000 * (turn + 2));
    }
    taken.set();
    page.turns.run();
    CHECK(page.client.bytes == 100'001);
    CHECK(page.outcome.value().has_value());
}

TEST_CASE("all fragments of a page together hold a bounded amount, and the rest start later") {
    compose::Limits limits;
    limits.fragmentAhead = 1000;
    limits.pageAhead = 5000;
    limits.running = 100;
    coro::Event ready;
    Composition page("/p", limits);
    page.host.islands["/slow"] = {"s"};
    page.host.islands["/slow"].gate = &ready;
    page.host.islands["/big"] = {std::string(1000, 'b')};
    std::string text = includeOf("/slow");
    for (int i = 0; i != 50; ++i)
        text += includeOf("/big?" + std::to_string(i));
    page.send(text);
    CHECK(page.host.started.size() == 6);
    ready.set();
    page.turns.run();
    CHECK(page.host.started.size() == 51);
    CHECK(page.client.content == "s" + std::string(50'000, 'b'));
}

TEST_CASE("fragments that are there at once are not all gathered before the first of them leaves") {
    compose::Limits limits;
    limits.pageAhead = 5000;
    coro::Event taken;
    Composition page("/p", limits);
    page.client.gate = &taken;
    page.host.islands["/big"] = {std::string(1000, 'b')};
    std::string text;
    for (int i = 0; i != 50; ++i)
        text += includeOf("/big?" + std::to_string(i));
    page.send(text);
    CHECK(page.host.started.size() == 5);
    taken.set();
    page.turns.run();
    CHECK(page.client.content == std::string(50'000, 'b'));
    CHECK(page.outcome.value().has_value());
}

TEST_CASE("the page's own text behind an unfinished fragment is bounded, its writer waits") {
    compose::Limits limits;
    limits.textAhead = 1000;
    coro::Event ready;
    Composition page("/p", limits);
    page.host.islands["/slow"] = {"s"};
    page.host.islands["/slow"].gate = &ready;
    std::vector<std::string> pieces = {includeOf("/slow")};
    for (int i = 0; i != 100; ++i)
        pieces.push_back(std::string(100, 't'));
    page.stream(std::move(pieces));
    CHECK(page.piecesTaken == 11);
    ready.set();
    page.turns.run();
    CHECK(page.piecesTaken == 101);
    CHECK(page.client.content == "s" + std::string(10'000, 't'));
    CHECK(page.outcome.value().has_value());
}

TEST_CASE("error texts cannot blow a page up in memory") {
    compose::Limits limits;
    limits.textAhead = 10'000;
    coro::Event ready;
    Composition page("/p", limits);
    page.host.islands["/slow"] = {"s"};
    page.host.islands["/slow"].gate = &ready;
    std::string text =
        includeOf("/slow") + "<!--#config errmsg=\"" + std::string(4000, 'e') + "\"-->";
    for (int i = 0; i != 1000; ++i)
        text += "<!--#x-->";
    page.send(text);
    CHECK(page.host.problems.size() == 3); // 12,000 bytes of error text wait, no more are made
    ready.set();
    page.turns.run();
    CHECK(page.host.problems.size() == 20); // the log cannot be filled either
    CHECK(page.client.bytes == 1 + 4'000'000);
    CHECK(page.outcome.value().has_value());
}

TEST_CASE("a page has a limited number of fragments at work, in document order") {
    compose::Limits limits;
    limits.running = 3;
    std::deque<coro::Event> ready(10);
    Composition page("/p", limits);
    std::string text;
    std::string expected;
    for (std::size_t i = 0; i != 10; ++i) {
        const auto path = "/" + std::to_string(i);
        page.host.islands[path] = {path};
        page.host.islands[path].gate = &ready[i];
        text += includeOf(path);
        expected += path;
    }
    page.send(text);
    CHECK(page.host.started == Calls{"/0", "/1", "/2"});
    ready[1].set();
    page.turns.run();
    CHECK(page.host.started.back() == "/3");
    CHECK(page.client.content.empty());
    for (auto& event : ready)
        event.set();
    page.turns.run();
    CHECK(page.host.mostRunning == 3);
    CHECK(page.client.content == expected);
}

TEST_CASE("a hundred includes that end in any order come out in document order") {
    for (unsigned seed = 0; seed != 5; ++seed) {
        std::deque<coro::Event> ready(100);
        Composition page;
        std::vector<std::string> pieces;
        std::string expected;
        std::vector<std::size_t> order;
        for (std::size_t i = 0; i != 100; ++i) {
            const auto path = "/" + std::to_string(i);
            auto& island = page.host.islands[path] = {"<" + path + ">"};
            island.gate = &ready[i];
            island.streams = i % 3 == 0;
            pieces.push_back("." + includeOf(path));
            expected += ".<" + path + ">";
            order.push_back(i);
        }
        page.stream(std::move(pieces));
        std::mt19937 random(seed);
        std::ranges::shuffle(order, random);
        for (const auto next : order) {
            ready[next].set();
            page.turns.run();
        }
        CHECK(page.client.content == expected);
        CHECK(page.outcome.value().has_value());
        CHECK(page.host.running == 0);
    }
}

TEST_CASE("one permit for all islands does not deadlock pages that include pages") {
    for (const bool streams : {false, true}) {
        compose::Limits limits;
        limits.fragmentAhead = 10;
        limits.textAhead = 10;
        coro::Semaphore permit(1);
        Composition page("/p", limits);
        // Each page is an island under the same limit, and longer than it may run ahead.
        auto add = [&](const std::string& path, std::string body, bool composed) {
            auto& island = page.host.islands[path] = {std::move(body)};
            island.limit = &permit;
            island.composed = composed;
            island.streams = streams;
        };
        add("/outer", "o1234567890123456789" + includeOf("/inner") + includeOf("/leaf?1") + "o",
            true);
        add("/inner", "i" + includeOf("/leaf?2") + "i1234567890123456789" + includeOf("/leaf?3"),
            true);
        add("/leaf", "leaf90123456789012345", false);
        page.send("p" + includeOf("/outer") + includeOf("/leaf?4") + includeOf("/outer?2") + "p");
        REQUIRE(page.outcome);
        CHECK(page.outcome->has_value());
        const std::string leaf = "leaf90123456789012345";
        const auto outer =
            "o1234567890123456789i" + leaf + "i1234567890123456789" + leaf + leaf + "o";
        CHECK(page.client.content == "p" + outer + leaf + outer + "p");
        CHECK(page.host.problems.empty());
        CHECK(permit.available() == 1);
        CHECK(permit.waiting() == 0);
    }
}

TEST_CASE("permits go to fragments in document order") {
    coro::Semaphore permit(2);
    std::deque<coro::Event> ready(5);
    Composition page;
    std::string text;
    for (std::size_t i = 0; i != 5; ++i) {
        auto& island = page.host.islands["/" + std::to_string(i)] = {"x"};
        island.limit = &permit;
        island.gate = &ready[i];
        text += includeOf("/" + std::to_string(i));
    }
    page.send(text);
    CHECK(page.host.running == 2);
    ready[4].set();
    page.turns.run();
    CHECK(page.client.content.empty()); // /4 has no permit yet
    ready[1].set();
    page.turns.run();
    CHECK(page.host.running == 2); // /0 and /2
    for (auto& event : ready)
        event.set();
    page.turns.run();
    CHECK(page.client.content == "xxxxx");
    CHECK(page.host.mostRunning == 2);
}

TEST_CASE("a huge page of huge fragments runs in bounded memory") {
    compose::Limits limits;
    coro::Event taken;
    Composition page("/p", limits);
    page.client.keepContent = false;
    auto& huge = page.host.islands["/huge"] = {std::string(10'000, 'h')};
    huge.streams = true;
    huge.times = 2000;
    page.client.gate = &taken;
    page.send("a" + includeOf("/huge?1") + includeOf("/huge?2") + includeOf("/huge?3"));
    std::size_t most = 0;
    for (int turn = 0; !page.outcome && turn != 10'000; ++turn) {
        const auto before = page.client.bytes;
        taken.pulse();
        page.turns.run();
        most = std::max(most, page.host.written - std::min(page.host.written, before));
    }
    CHECK(page.client.bytes == 60'000'001);
    CHECK(most <= 3 * (limits.fragmentAhead + 10'000));
    CHECK(page.outcome.value().has_value());
}

TEST_CASE("a thousand pages at once all come out whole") {
    Turns turns;
    FakeHost host;
    coro::Semaphore permits(8);
    coro::Event ready;
    auto& island = host.islands["/island"] = {"island"};
    island.limit = &permits;
    island.gate = &ready;
    struct Page {
        explicit Page(FakeHost& site)
            : request("/p"),
              composer(site, request.request, client, nullptr, compose::Compose::all) {}
        PageRequest request;
        RecordingSink client;
        compose::Composer composer;
    };
    std::deque<Page> pages;
    const auto text = "a" + includeOf("/island") + "b" + includeOf("/island?2") + "c";
    for (int i = 0; i != 1000; ++i) {
        Page& page = pages.emplace_back(host);
        turns.scope.start([](Page& here, const std::string& content) -> Task<void> {
            http::ResponseHead head(here.request.arena);
            (void)co_await http::sendPiece(here.composer, head, bytesOf(content));
        }(page, text));
    }
    turns.run();
    CHECK(host.running == 8);
    ready.set();
    turns.run();
    CHECK(host.mostRunning == 8);
    for (const Page& page : pages) {
        REQUIRE(page.client.content == "aislandbislandc");
        REQUIRE(page.client.ended);
    }
    turns.scope.dropAll();
}

TEST_CASE("pages that hold all that the loop lets them go on one fragment at a time, and all end") {
    compose::Limits limits;
    limits.loopAhead = 64U << 10U;
    limits.leastAhead = 100;
    const std::string part(20'000, 'p');
    std::string text;
    std::string whole;
    for (int i = 0; i != 10; ++i) {
        text += includeOf("/part") + "|";
        whole += part + "|";
    }
    coro::Event taken;
    std::deque<Composition> pages;
    for (int i = 0; i != 20; ++i) {
        Composition& page = pages.emplace_back("/p", limits);
        page.client.gate = &taken;
        page.host.islands["/part"] = {part};
        page.send(text);
    }
    // Each may have what it would have alone, before it sees the others; far less than all of it.
    CHECK(compose::ByteQueue::memoryOfThread() < 600'000);
    while (std::ranges::any_of(pages, [](const Composition& page) { return !page.outcome; })) {
        taken.pulse();
        for (Composition& page : pages)
            page.turns.run();
    }
    for (const Composition& page : pages) {
        CHECK(page.outcome.value().has_value());
        CHECK(page.client.content == whole);
    }
    pages.clear();
    CHECK(compose::ByteQueue::memoryOfThread() == 0);
}
