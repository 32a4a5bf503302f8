#include "coro/scope.h"
#include "gateway/admission.h"
#include "io/sleep.h"
#include "io/sockets.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <thread>

using namespace reef;
using namespace std::chrono_literals;
using gateway::Admission;
using gateway::AdmissionLimits;
using gateway::LoopAdmission;
using gateway::Refusal;
using gateway::Share;

namespace {

AdmissionLimits limitsOf(std::size_t running, std::chrono::milliseconds patience = 20s) {
    AdmissionLimits limits;
    limits.running = running;
    limits.perClient = 0;
    limits.patience = patience;
    return limits;
}

io::HostBits client(unsigned number) {
    io::HostBits bits{};
    bits[10] = bits[11] = 0xff; // IPv4
    bits[15] = static_cast<std::uint8_t>(number);
    return bits;
}

/// Waits for a permit, keeps it, and says how it went.
struct Guest {
    explicit Guest(LoopAdmission& admission) : door(admission) {}

    Task<void> enter() {
        auto outcome = co_await door.enter(Share::client, client(1), {});
        refusal = outcome ? std::nullopt : std::optional(outcome.error());
        if (outcome) permit = std::move(*outcome);
        answered = true;
    }

    LoopAdmission& door;
    coro::Permit permit;
    std::optional<Refusal> refusal;
    bool answered = false;
};

} // namespace

TEST_CASE("a permit that is given back lets the next one in") {
    io::Loop loop;
    Admission admission(limitsOf(1));
    LoopAdmission door(loop, admission);
    Guest first(door);
    Guest second(door);
    coro::Scope tasks;
    tasks.start(first.enter());
    tasks.start(second.enter());
    CHECK(first.answered);
    CHECK_FALSE(second.answered);
    CHECK(admission.counts().waiting == 1);
    first.permit = {};
    test::runUntil(loop, [&] { return second.answered; });
    CHECK(second.permit);
    CHECK(admission.counts().running == 1);
    CHECK(admission.counts().waited == 1);
    second.permit = {};
    CHECK(admission.counts().running == 0);
}

TEST_CASE("whoever waits too long is told so, and leaves the queue") {
    io::Loop loop;
    Admission admission(limitsOf(1, 30ms));
    LoopAdmission door(loop, admission);
    Guest first(door);
    Guest second(door);
    coro::Scope tasks;
    tasks.start(first.enter());
    tasks.start(second.enter());
    test::runUntil(loop, [&] { return second.answered; });
    CHECK(second.refusal == Refusal::tooLate);
    CHECK(admission.counts().waiting == 0);
    CHECK(admission.counts().refused == 1);
}

TEST_CASE("a waiter that is dropped leaves its place, also when it has just got its turn") {
    io::Loop loop;
    Admission admission(limitsOf(1));
    LoopAdmission door(loop, admission);
    Guest first(door);
    Guest waiting(door);
    Guest third(door);
    coro::Scope tasks;
    tasks.start(first.enter());
    {
        coro::Scope client;
        client.start(waiting.enter());
        tasks.start(third.enter());
    }
    CHECK(admission.counts().waiting == 1);
    {
        coro::Scope client;
        Guest fourth(door);
        client.start(fourth.enter());
        first.permit = {}; // the third's turn; it is told at the loop's next
        tasks.dropAll();   // and gone before
        CHECK(admission.counts().running == 1);
        test::runUntil(loop, [&] { return fourth.answered; });
        CHECK(fourth.permit);
    }
    CHECK(admission.counts().running == 0);
    CHECK_FALSE(third.answered);
}

namespace {

/// Islands on a loop of their own, one after the other by each of several guests.
struct Crowd {
    static constexpr int kGuests = 16;
    static constexpr int kVisits = 60;

    Crowd(Admission& all, std::atomic<int>& now, std::atomic<int>& highest)
        : admission(all), running(now), most(highest) {}

    Task<void> visit(LoopAdmission& door, io::Loop& loop, unsigned number) {
        for (int i = 0; i != kVisits; ++i) {
            const Share share = i % 3 == 0 ? Share::fragment : Share::client;
            auto permit = co_await door.enter(share, client(number), {});
            if (!permit) co_return;
            if (share == Share::client) {
                const int now = ++running;
                for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
                }
            }
            if (i % 2 == 0) co_await io::Sleep(loop, 1ms);
            if (share == Share::client) --running;
            ++visits;
        }
        if (++ended == kGuests) loop.stop();
    }

    void operator()() {
        io::Loop loop;
        LoopAdmission door(loop, admission);
        coro::Scope guests;
        for (unsigned i = 0; i != kGuests; ++i)
            guests.start(visit(door, loop, i % 5));
        loop.run();
    }

    Admission& admission;
    std::atomic<int>& running;
    std::atomic<int>& most;
    int visits = 0;
    int ended = 0;
};

} // namespace

TEST_CASE("a limit holds for all loops together") {
    Admission admission(limitsOf(3));
    std::atomic<int> running = 0;
    std::atomic<int> most = 0;
    Crowd first(admission, running, most);
    Crowd second(admission, running, most);
    std::thread other(std::ref(second));
    std::thread(std::ref(first)).join();
    other.join();
    CHECK(first.visits == Crowd::kGuests * Crowd::kVisits);
    CHECK(second.visits == Crowd::kGuests * Crowd::kVisits);
    CHECK(most == 3);
    const auto counts = admission.counts();
    CHECK(counts.running == 0);
    CHECK(counts.waiting == 0);
    CHECK(counts.refused == 0);
}
