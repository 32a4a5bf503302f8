#include "coro/scope.h"
#include "coro/turns.h"

#include <catch2/catch.hpp>
#include <stdexcept>
#include <string>

using namespace reef;
using test::Turns;
using test::Witness;

namespace {

Task<void> note(coro::Event& event, std::string& order, char name, Witness) {
    co_await event.wait();
    order += name;
}

Task<void> bug() {
    throw std::logic_error("a bug in one task");
    co_return;
}

Task<void> parent(coro::Event& event, std::string& order, int& dropped) {
    coro::Scope children;
    for (const char name : {'a', 'b', 'c'})
        children.start(note(event, order, name, Witness(dropped)));
    co_await children.join();
    order += '.';
}

Task<void> hasty(coro::Event& event, std::string& order, int& dropped) {
    coro::Scope children;
    for (const char name : {'a', 'b'})
        children.start(note(event, order, name, Witness(dropped)));
    co_return;
}

} // namespace

TEST_CASE("join waits for all children, which wake in order") {
    Turns turns;
    coro::Event event;
    std::string order;
    int dropped = 0;
    turns.scope.start(parent(event, order, dropped));
    turns.run();
    CHECK(order.empty());
    event.set();
    turns.run();
    CHECK(order == "abc.");
    CHECK(dropped == 3);
    CHECK(turns.scope.size() == 0);
}

TEST_CASE("leaving a scope stops its children") {
    Turns turns;
    coro::Event event;
    std::string order;
    int dropped = 0;
    turns.scope.start(hasty(event, order, dropped));
    CHECK(dropped == 2);
    event.set();
    turns.run();
    CHECK(order.empty());
}

TEST_CASE("a bug in one task leaves the others alone") {
    Turns turns;
    coro::Event event;
    std::string order;
    int dropped = 0;
    turns.scope.start(bug());
    turns.scope.start(note(event, order, 'x', Witness(dropped)));
    turns.run();
    CHECK(turns.scope.size() == 1);
    event.set();
    turns.run();
    CHECK(order == "x");
}

TEST_CASE("join on an empty scope does not wait") {
    Turns turns;
    std::string order;
    struct Local {
        static Task<void> run(std::string& out) {
            coro::Scope none;
            co_await none.join();
            out = "done";
        }
    };
    turns.scope.start(Local::run(order));
    CHECK(order == "done");
}
