#include "io/sockets.h"
#include "io/workers.h"

#include <catch2/catch.hpp>
#include <stdexcept>
#include <string>

using namespace reef;
using test::runUntil;

namespace {

Task<void> compute(io::Workers& workers, io::Loop& loop, int input, int& sum, int& done) {
    const int value = co_await workers.run(loop, [input] { return input * 2; });
    sum += value;
    ++done;
}

Task<void> fails(io::Workers& workers, io::Loop& loop, std::string& message) {
    try {
        co_await workers.run(loop, []() -> int { throw std::runtime_error("no such table"); });
    } catch (const std::runtime_error& error) {
        message = error.what();
    }
}

} // namespace

TEST_CASE("blocking work runs elsewhere, and its value comes back on the loop") {
    io::Loop loop;
    io::Workers workers(3);
    int sum = 0;
    int done = 0;
    for (int i = 1; i <= 100; ++i)
        loop.tasks().start(compute(workers, loop, i, sum, done));
    runUntil(loop, [&] { return done == 100; });
    CHECK(sum == 100 * 101);
}

TEST_CASE("an exception of the work reaches the task that waits for it") {
    io::Loop loop;
    io::Workers workers(1);
    std::string message;
    loop.tasks().start(fails(workers, loop, message));
    runUntil(loop, [&] { return !message.empty(); });
    CHECK(message == "no such table");
}

TEST_CASE("a task may be dropped while its work runs, and workers may go while work waits") {
    io::Loop loop;
    int sum = 0;
    int done = 0;
    {
        io::Workers workers(1);
        for (int i = 0; i < 50; ++i)
            loop.tasks().start(compute(workers, loop, i, sum, done));
        loop.tasks().dropAll();
    }
    loop.post([] {});
    loop.turn();
    CHECK(done == 0);
}
