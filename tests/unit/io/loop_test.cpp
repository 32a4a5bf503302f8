#include "base/thread.h"
#include "io/loop.h"
#include "io/sleep.h"
#include "io/sockets.h"

#include <sys/socket.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <string>
#include <thread>
#include <vector>

using namespace reef;
using namespace std::chrono_literals;
using test::runUntil;
using test::SocketPair;

namespace {

Task<void> note(io::Loop& loop, std::chrono::milliseconds wait, std::string& order, char name) {
    co_await io::Sleep(loop, wait);
    order += name;
}

Task<void> spin(std::string& order, char name, int rounds) {
    for (int i = 0; i < rounds; ++i) {
        order += name;
        co_await io::Yield();
    }
}

/// Reads one byte, then closes the other stream of the pair it was told of.
Task<void> readThenClose(io::Stream& own, std::unique_ptr<io::SocketStream>& other, int& reads) {
    char byte[1];
    const auto got = co_await own.read(byte);
    if (got && *got == 1) ++reads;
    other.reset();
}

} // namespace

TEST_CASE("sleepers wake in the order of their times") {
    io::Loop loop;
    std::string order;
    loop.tasks().start(note(loop, 20ms, order, 'c'));
    loop.tasks().start(note(loop, 1ms, order, 'a'));
    loop.tasks().start(note(loop, 10ms, order, 'b'));
    const auto began = std::chrono::steady_clock::now();
    runUntil(loop, [&] { return order.size() == 3; });
    CHECK(order == "abc");
    CHECK(std::chrono::steady_clock::now() - began >= 20ms);
}

TEST_CASE("a task that yields lets the others have their turn") {
    io::Loop loop;
    std::string order;
    loop.tasks().start(spin(order, 'a', 3));
    loop.tasks().start(spin(order, 'b', 3));
    runUntil(loop, [&] { return order.size() == 6; });
    CHECK(order == "ababab");
}

TEST_CASE("what other threads post runs on the loop, all of it, each thread's in order") {
    constexpr int kThreads = 4;
    constexpr int kEach = 2000;
    io::Loop loop;
    std::vector<int> last(kThreads, -1);
    std::atomic<int> wrong = 0;
    int ran = 0;
    {
        std::vector<Thread> threads;
        for (int t = 0; t < kThreads; ++t) {
            threads.emplace_back("poster", [&, t] {
                for (int i = 0; i < kEach; ++i) {
                    loop.post([&, t, i] {
                        if (last[static_cast<std::size_t>(t)] != i - 1) ++wrong;
                        last[static_cast<std::size_t>(t)] = i;
                        if (++ran == kThreads * kEach) loop.stop();
                    });
                }
            });
        }
        loop.run();
    }
    CHECK(ran == kThreads * kEach);
    CHECK(wrong == 0);
}

TEST_CASE("stop ends the run, also from another thread while the loop sleeps") {
    io::Loop loop;
    Thread stopper("stopper", [&] { loop.stop(); });
    loop.run();
    SUCCEED();
}

TEST_CASE("a task that drops the owner of a later event of the same batch does no harm") {
    io::Loop loop;
    SocketPair first;
    SocketPair second;
    auto a = std::make_unique<io::SocketStream>(loop, std::move(first.one));
    auto b = std::make_unique<io::SocketStream>(loop, std::move(second.one));
    int reads = 0;
    loop.tasks().start(readThenClose(*a, b, reads));
    loop.tasks().start(readThenClose(*b, a, reads));
    REQUIRE(::write(first.two.get(), "x", 1) == 1);
    REQUIRE(::write(second.two.get(), "x", 1) == 1);
    loop.post([] {});
    for (int i = 0; i < 3; ++i) {
        loop.post([] {});
        loop.turn();
        if (!a || !b) loop.tasks().dropAll(); // their frames held references
    }
    CHECK(reads == 1);
    CHECK((!a || !b));
}

TEST_CASE("a descriptor number that is used again does not get its predecessor's events") {
    io::Loop loop;
    for (int round = 0; round < 50; ++round) {
        SocketPair pair;
        io::SocketStream stream(loop, std::move(pair.one));
        REQUIRE(::write(pair.two.get(), "x", 1) == 1); // an event that nobody waits for
    }
    loop.post([] {});
    loop.turn();
    SUCCEED();
}

namespace {

/// Waits for a byte as long as it takes, then for a second one that never comes.
Task<void> readThenWait(io::Stream& stream, std::chrono::steady_clock::duration& waited,
                        bool& done) {
    char bytes[16]; // a short read: the stream knows that nothing more is there
    co_await stream.read(bytes);
    const auto before = std::chrono::steady_clock::now();
    const auto more = co_await stream.readable(200ms);
    waited = std::chrono::steady_clock::now() - before;
    CHECK_FALSE(more);
    done = true;
}

} // namespace

TEST_CASE("the sleep of a loop does not count against what is awaited after it") {
    io::Loop loop;
    SocketPair pair;
    io::SocketStream stream(loop, std::move(pair.one));
    std::chrono::steady_clock::duration waited{};
    bool done = false;
    loop.tasks().start(readThenWait(stream, waited, done));
    const Thread sender("sender", [&pair] {
        std::this_thread::sleep_for(500ms);
        CHECK(::send(pair.two.get(), "x", 1, 0) == 1);
    });
    runUntil(loop, [&] { return done; });
    CHECK(waited >= 200ms);
}
