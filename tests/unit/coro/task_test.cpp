#include "coro/task.h"
#include "coro/turns.h"

#include <catch2/catch.hpp>
#include <memory>
#include <stdexcept>

using namespace reef;
using test::Turns;
using test::Witness;

namespace {

Task<int> answer() {
    co_return 42;
}

Task<std::unique_ptr<int>> boxed() {
    co_return std::make_unique<int>(co_await answer());
}

Task<int> thrower() {
    throw std::runtime_error("broken");
    co_return 0;
}

Task<int> countDown(int n) {
    if (n == 0) co_return 0;
    co_return 1 + co_await countDown(n - 1);
}

Task<void> store(Task<int> source, int& target) {
    target = co_await std::move(source);
}

Task<void> waitFor(coro::Event& event, Witness) {
    co_await event.wait();
}

Task<void> waitDeep(coro::Event& event, Witness outer, int& inner) {
    co_await waitFor(event, Witness(inner));
    (void)outer;
}

Task<void> loopWhile(int& count) {
    while (co_await answer() == 42 && count < 100'000)
        ++count;
}

} // namespace

TEST_CASE("a task does nothing until it is awaited") {
    int stored = 0;
    Turns turns;
    auto task = store(answer(), stored);
    CHECK(stored == 0);
    turns.scope.start(std::move(task));
    CHECK(stored == 42);
    turns.run();
    CHECK(turns.scope.size() == 0);
}

TEST_CASE("a value that can only be moved comes through") {
    int value = 0;
    struct Local {
        static Task<void> run(int& out) {
            out = **std::make_unique<std::unique_ptr<int>>(co_await boxed());
        }
    };
    Turns turns;
    turns.scope.start(Local::run(value));
    CHECK(value == 42);
}

TEST_CASE("an exception reaches the one who awaits") {
    std::string caught;
    struct Local {
        static Task<void> run(std::string& out) {
            try {
                co_await thrower();
            } catch (const std::runtime_error& error) {
                out = error.what();
            }
        }
    };
    Turns turns;
    turns.scope.start(Local::run(caught));
    CHECK(caught == "broken");
}

TEST_CASE("a chain of awaits and a loop of awaits need no stack") {
    int depth = 0;
    int rounds = 0;
    Turns turns;
    turns.scope.start(store(countDown(1'000), depth));
    turns.scope.start(loopWhile(rounds));
    CHECK(depth == 1'000);
    CHECK(rounds == 100'000);
}

TEST_CASE("dropping a task drops all frames below it at once") {
    int outer = 0;
    int inner = 0;
    Turns turns;
    coro::Event never;
    turns.scope.start(waitDeep(never, Witness(outer), inner));
    CHECK(inner == 0);
    turns.scope.dropAll();
    CHECK(outer == 1);
    CHECK(inner == 1);
    never.set(); // nobody is on the list any more
    turns.run();
}

TEST_CASE("a task that was woken, then dropped before its turn, is not resumed") {
    int dropped = 0;
    Turns turns;
    coro::Event event;
    turns.scope.start(waitFor(event, Witness(dropped)));
    event.set();
    turns.scope.dropAll();
    CHECK(dropped == 1);
    turns.run();
}
