#include "coro/event.h"
#include "coro/turns.h"
#include "serve/peer.h"
#include "serve/until_client_leaves.h"

#include <catch2/catch.hpp>

using namespace reef;
using serve::HalfClose;

namespace {

struct Fixture {
    Fixture() : peer(loop, std::move(pair.one)), stream(loop, std::move(pair.two)) {}
    ~Fixture() { loop.tasks().dropAll(); }

    static Task<int> work(coro::Event& done, int& dropped) {
        const test::Witness witness(dropped);
        co_await done.wait();
        co_return 7;
    }

    Task<void> wait(HalfClose half) {
        outcome = co_await serve::UntilClientLeaves<int>(stream, half, work(done, dropped));
        ended = true;
    }

    void start(HalfClose half) { loop.tasks().start(wait(half)); }
    void settle() {
        for (int i = 0; i < 5; ++i) {
            loop.post([] {});
            loop.turn();
        }
    }

    io::Loop loop;
    test::SocketPair pair;
    test::Peer peer;
    io::SocketStream stream;
    coro::Event done;
    int dropped = 0;
    bool ended = false;
    std::optional<int> outcome;
};

} // namespace

TEST_CASE_METHOD(Fixture, "a task that ends at once, or later, gives its result") {
    SECTION("at once") {
        done.set();
        start(HalfClose::meansLeft);
    }
    SECTION("later") {
        start(HalfClose::meansLeft);
        settle();
        CHECK_FALSE(ended);
        done.set();
        test::runUntil(loop, [&] { return ended; });
    }
    CHECK(ended);
    CHECK(outcome == 7);
    CHECK(dropped == 1);
}

TEST_CASE_METHOD(Fixture, "the client gone, the task is dropped") {
    start(HalfClose::meansLeft);
    settle();
    peer.close();
    test::runUntil(loop, [&] { return ended; });
    CHECK_FALSE(outcome);
    CHECK(dropped == 1);
}

TEST_CASE_METHOD(Fixture, "the client gone before the task began to wait, it is dropped as well") {
    peer.close();
    start(HalfClose::meansLeft);
    test::runUntil(loop, [&] { return ended; });
    CHECK_FALSE(outcome);
    CHECK(dropped == 1);
}

TEST_CASE_METHOD(Fixture, "a half-closed connection counts by what the client has said") {
    SECTION("it means to read on") {
        start(HalfClose::isAllowed);
        peer.endWriting();
        settle();
        CHECK_FALSE(ended);
        done.set();
        test::runUntil(loop, [&] { return ended; });
        CHECK(outcome == 7);
    }
    SECTION("it has left") {
        start(HalfClose::meansLeft);
        peer.endWriting();
        test::runUntil(loop, [&] { return ended; });
        CHECK_FALSE(outcome);
    }
    SECTION("it has asked for more before") {
        peer.send("GET /next HTTP/1.1\r\n");
        start(HalfClose::meansLeft);
        peer.endWriting();
        settle();
        CHECK_FALSE(ended);
        done.set();
        test::runUntil(loop, [&] { return ended; });
        CHECK(outcome == 7);
    }
}

TEST_CASE_METHOD(Fixture, "dropped from outside, it takes its task along") {
    start(HalfClose::meansLeft);
    settle();
    loop.tasks().dropAll();
    CHECK(dropped == 1);
    CHECK_FALSE(ended);
}
