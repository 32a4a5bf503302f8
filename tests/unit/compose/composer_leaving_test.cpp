// What ends a page early: it is dropped, or its client is gone; and what must not hold it up.

#include "compose/composer.h"
#include "compose/fakes.h"

#include <catch2/catch.hpp>
#include <deque>
#include <vector>

using namespace reef;
using namespace reef::test;

TEST_CASE("dropping a page drops its fragments at once, at any depth") {
    coro::Semaphore permit(1);
    auto page = std::make_unique<Composition>();
    page->host.islands["/hangs"].hangs = true;
    page->host.islands["/hangs"].limit = &permit;
    page->host.islands["/waits"].limit = &permit;
    page->host.islands["/inner"] = {includeOf("/hangs") + includeOf("/waits")};
    page->host.islands["/inner"].composed = true;
    page->send("a" + includeOf("/inner") + "b");
    CHECK(page->client.content == "a");
    CHECK(page->host.running == 2); // inner and hangs
    CHECK(permit.waiting() == 1);
    page->turns.scope.dropAll();
    page->composer.reset();
    CHECK(page->host.running == 0);
    CHECK(permit.available() == 1);
    CHECK(permit.waiting() == 0);
    page->turns.run();
}

TEST_CASE("dropping a page half-way is safe at every point") {
    for (std::size_t turns = 0; turns != 12; ++turns) {
        std::deque<coro::Event> ready(4);
        Composition page;
        std::vector<std::string> pieces;
        for (std::size_t i = 0; i != 4; ++i) {
            auto& island = page.host.islands["/" + std::to_string(i)] = {"0123456789"};
            island.streams = true;
            island.middle = &ready[i];
            pieces.push_back("." + includeOf("/" + std::to_string(i)));
        }
        page.stream(std::move(pieces));
        for (auto& event : ready)
            event.set();
        for (std::size_t i = 0; i != turns; ++i)
            page.turns.queue.runOnce();
        page.turns.scope.dropAll();
        page.composer.reset();
        CHECK(page.host.running == 0);
        page.turns.run();
    }
}

TEST_CASE("a client that is gone stops the page: fragments are dropped, every call answers it") {
    SECTION("while the handler's own text is written") {
        Composition page;
        page.host.islands["/hangs"].hangs = true;
        page.client.failAt = 2;
        page.send("a" + includeOf("/hangs"));
        CHECK(page.outcome.value().error() == Error::peerClosed);
        CHECK(page.host.running == 0);
        CHECK(page.host.ended == 1);
    }
    SECTION("at the head") {
        Composition page;
        page.host.islands["/hangs"].hangs = true;
        page.client.failAt = 1;
        page.send(includeOf("/hangs"));
        CHECK(page.outcome.value().error() == Error::peerClosed);
        CHECK(page.host.running == 0);
    }
    SECTION("while the drain writes") {
        coro::Event ready;
        Composition page;
        page.host.islands["/slow"] = {"slow"};
        page.host.islands["/slow"].gate = &ready;
        page.host.islands["/hangs"].hangs = true;
        page.client.failAt = 3;
        page.stream({"a" + includeOf("/slow"), "b" + includeOf("/hangs")});
        CHECK_FALSE(page.outcome);
        ready.set();
        page.turns.run();
        CHECK(page.outcome.value().error() == Error::peerClosed);
        CHECK(page.host.running == 0);
    }
    SECTION("while the writer waits for room") {
        compose::Limits limits;
        limits.textAhead = 10;
        coro::Event ready;
        Composition page("/p", limits);
        page.host.islands["/slow"] = {"slow"};
        page.host.islands["/slow"].gate = &ready;
        page.client.failAt = 3;
        page.stream({"a" + includeOf("/slow"), std::string(100, 'b'), "c"});
        CHECK(page.piecesTaken == 1);
        ready.set();
        page.turns.run();
        CHECK(page.outcome.value().error() == Error::peerClosed);
        CHECK(page.piecesTaken == 1);
    }
    SECTION("at the whole page") {
        Composition page;
        page.client.failAt = 1;
        page.send("a" + includeOf("/x"));
        CHECK(page.outcome.value().error() == Error::peerClosed);
    }
}

TEST_CASE("what a hanging fragment precedes stays back, what it follows has left") {
    Composition page;
    page.host.islands["/hangs"].hangs = true;
    page.stream({"a" + includeOf("/1"), "b" + includeOf("/hangs") + "c", includeOf("/2") + "d"});
    CHECK(page.client.content == "a{virtual /1}b");
    CHECK(page.host.started.size() == 3);
    CHECK_FALSE(page.outcome);
}

TEST_CASE("a fragment that lingers behind its answer holds nothing up") {
    compose::Limits limits;
    limits.running = 1;
    Composition page("/p", limits);
    page.host.islands["/lingers"] = {"l"};
    page.host.islands["/lingers"].lingers = true;
    page.send("a" + includeOf("/lingers") + includeOf("/1") + includeOf("/lingers?2") + "b");
    CHECK(page.client.content == "al{virtual /1}lb");
    CHECK(page.outcome.value().has_value());
    CHECK(page.host.running == 2);
    page.composer.reset();
    CHECK(page.host.running == 0);
}
