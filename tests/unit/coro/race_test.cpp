#include "coro/race.h"
#include "coro/turns.h"

#include <catch2/catch.hpp>
#include <string>

using namespace reef;
using test::Turns;
using test::Witness;

namespace {

Task<int> after(coro::Event& event, int value, Witness) {
    co_await event.wait();
    co_return value;
}

Task<int> atOnce(int value) {
    co_return value;
}

Task<void> quiet(coro::Event& event) {
    co_await event.wait();
}

Task<void> raceInts(Task<int> a, Task<int> b, std::string& out) {
    auto outcome = co_await coro::race(std::move(a), std::move(b));
    out = outcome.index() == 0 ? "a" + std::to_string(std::get<0>(outcome))
                               : "b" + std::to_string(std::get<1>(outcome));
}

Task<void> raceVoid(Task<int> a, Task<void> b, std::string& out) {
    auto outcome = co_await coro::race(std::move(a), std::move(b));
    out = outcome.index() == 0 ? "value" : "quiet";
}

} // namespace

TEST_CASE("the first to end wins and the other is dropped at once") {
    Turns turns;
    coro::Event one;
    coro::Event two;
    int dropped = 0;
    std::string out;
    turns.scope.start(
        raceInts(after(one, 1, Witness(dropped)), after(two, 2, Witness(dropped)), out));
    two.set();
    turns.run();
    CHECK(out == "b2");
    CHECK(dropped == 2);
    one.set();
    turns.run();
}

TEST_CASE("a racer that never suspends wins before the other begins") {
    Turns turns;
    coro::Event never;
    int dropped = 0;
    std::string out;
    turns.scope.start(raceInts(atOnce(7), after(never, 2, Witness(dropped)), out));
    CHECK(out == "a7");
    turns.scope.start(raceInts(after(never, 2, Witness(dropped)), atOnce(8), out));
    CHECK(out == "b8");
    CHECK(dropped == 2);
}

TEST_CASE("when both are woken in the same turn one result comes out") {
    Turns turns;
    coro::Event both;
    int dropped = 0;
    std::string out;
    turns.scope.start(
        raceInts(after(both, 1, Witness(dropped)), after(both, 2, Witness(dropped)), out));
    both.set();
    turns.run();
    CHECK(out == "a1");
    CHECK(dropped == 2);
}

TEST_CASE("a race may be run by tasks that return nothing") {
    Turns turns;
    coro::Event one;
    coro::Event two;
    int dropped = 0;
    std::string out;
    turns.scope.start(raceVoid(after(one, 1, Witness(dropped)), quiet(two), out));
    two.set();
    turns.run();
    CHECK(out == "quiet");
}

TEST_CASE("dropping a race drops both racers") {
    Turns turns;
    coro::Event never;
    int dropped = 0;
    std::string out;
    turns.scope.start(
        raceInts(after(never, 1, Witness(dropped)), after(never, 2, Witness(dropped)), out));
    turns.scope.dropAll();
    CHECK(dropped == 2);
    CHECK(out.empty());
}
