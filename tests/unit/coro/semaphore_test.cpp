#include "coro/semaphore.h"
#include "coro/turns.h"

#include <catch2/catch.hpp>
#include <string>

using namespace reef;
using test::Turns;

namespace {

Task<void> worker(coro::Semaphore& limit, coro::Event& finish, std::string& order, char name) {
    auto permit = co_await limit.acquire();
    order += name;
    co_await finish.wait();
}

} // namespace

TEST_CASE("no more than the permitted number run at once, the rest in the order of asking") {
    Turns turns;
    coro::Semaphore limit(2);
    coro::Event finish;
    std::string order;
    for (const char name : {'a', 'b', 'c', 'd', 'e'})
        turns.scope.start(worker(limit, finish, order, name));
    CHECK(order == "ab");
    CHECK(limit.waiting() == 3);
    finish.pulse();
    turns.run();
    CHECK(order == "abcd");
    finish.set();
    turns.run();
    CHECK(order == "abcde");
    CHECK(limit.available() == 2);
}

TEST_CASE("a waiter that is dropped leaves the queue, even after its permit was granted") {
    Turns turns;
    coro::Semaphore limit(1);
    coro::Event finish;
    std::string order;
    coro::Scope doomed;
    turns.scope.start(worker(limit, finish, order, 'a'));
    doomed.start(worker(limit, finish, order, 'b'));
    turns.scope.start(worker(limit, finish, order, 'c'));
    finish.pulse();
    turns.queue.runOnce(); // a ends: its permit goes to b, whose turn is the next
    doomed.dropAll();
    turns.run();
    CHECK(order == "ac");
    finish.set();
    turns.run();
    CHECK(limit.available() == 1);
}
