#include "io/sleep.h"
#include "io/sockets.h"
#include "io/within.h"

#include <catch2/catch.hpp>

using namespace reef;
using namespace std::chrono_literals;
using test::runUntil;

namespace {

struct Witness {
    explicit Witness(int& counter) : count(&counter) {}
    Witness(Witness&& other) noexcept : count(std::exchange(other.count, nullptr)) {}
    ~Witness() {
        if (count != nullptr) ++*count;
    }
    int* count;
};

Task<Result<int>> answerAfter(io::Loop& loop, io::Timeout wait, Witness) {
    if (wait.count() != 0) co_await io::Sleep(loop, wait);
    co_return 42;
}

Task<void> ask(io::Loop& loop, io::Timeout patience, Task<Result<int>> task,
               std::optional<Result<int>>& out) {
    out = co_await io::Within<int>(loop, patience, std::move(task));
}

} // namespace

TEST_CASE("a task that ends in time gives its result, also when it never waits") {
    io::Loop loop;
    int dropped = 0;
    std::optional<Result<int>> out;
    loop.tasks().start(ask(loop, 1000ms, answerAfter(loop, 0ms, Witness(dropped)), out));
    REQUIRE(out);
    CHECK(out->value() == 42);
    out.reset();
    loop.tasks().start(ask(loop, 1000ms, answerAfter(loop, 2ms, Witness(dropped)), out));
    runUntil(loop, [&] { return out.has_value(); });
    CHECK(out->value() == 42);
    CHECK(dropped == 2);
}

TEST_CASE("a task that takes too long is dropped at once") {
    io::Loop loop;
    int dropped = 0;
    std::optional<Result<int>> out;
    const auto began = std::chrono::steady_clock::now();
    loop.tasks().start(ask(loop, 5ms, answerAfter(loop, 60'000ms, Witness(dropped)), out));
    runUntil(loop, [&] { return out.has_value(); });
    CHECK(out->error() == Error::timedOut);
    CHECK(dropped == 1);
    CHECK(std::chrono::steady_clock::now() - began < 4s);
}
