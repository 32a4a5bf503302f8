#include "io/timer_wheel.h"

#include <catch2/catch.hpp>
#include <deque>
#include <random>
#include <vector>

using namespace reef;
using namespace std::chrono_literals;

namespace {

struct Alarm final : io::Timer {
    explicit Alarm(io::TimerWheel& owner) : wheel(owner) {}
    void expired() override {
        firedAt = wheel.now();
        ++count;
        if (repeat.count() != 0) wheel.arm(*this, repeat);
    }
    using io::Timer::armed;
    using io::Timer::disarm;
    io::TimerWheel& wheel;
    std::chrono::milliseconds repeat{0};
    std::uint64_t firedAt = 0;
    int count = 0;
};

} // namespace

TEST_CASE("a timer never fires early, and at most one tick late") {
    io::TimerWheel wheel;
    Alarm alarm(wheel);
    wheel.arm(alarm, 10ms);
    wheel.advance(9);
    CHECK(alarm.count == 0);
    wheel.advance(11);
    CHECK(alarm.count == 1);
    CHECK(alarm.firedAt <= 11);
    CHECK_FALSE(wheel.next());
}

TEST_CASE("timers on all levels fire in the order of their times") {
    io::TimerWheel wheel;
    std::mt19937 random(7);
    std::deque<Alarm> alarms;
    std::vector<std::uint64_t> wanted;
    std::uniform_int_distribution<std::uint64_t> exponent(0, 27);
    for (int i = 0; i < 2000; ++i) {
        const auto delay = random() & ((1U << exponent(random)) - 1);
        wheel.arm(alarms.emplace_back(wheel), std::chrono::milliseconds(delay));
        wanted.push_back(delay + 1);
    }
    std::uint64_t now = 0;
    while (const auto next = wheel.next()) {
        CHECK(*next >= now);
        now = std::max(now + 1, *next);
        wheel.advance(now);
    }
    for (std::size_t i = 0; i < alarms.size(); ++i) {
        REQUIRE(alarms[i].count == 1);
        REQUIRE(alarms[i].firedAt >= wanted[i] - 1);
        REQUIRE(alarms[i].firedAt <= wanted[i] + 1);
    }
}

TEST_CASE("a long jump of the clock fires all that is due") {
    io::TimerWheel wheel;
    Alarm near(wheel);
    Alarm far(wheel);
    Alarm beyond(wheel);
    wheel.arm(near, 5ms);
    wheel.arm(far, std::chrono::hours(5));
    wheel.arm(beyond, std::chrono::hours(24 * 40)); // further than the wheel reaches
    wheel.advance(std::chrono::milliseconds(std::chrono::hours(24 * 30)).count());
    CHECK(near.count == 1);
    CHECK(far.count == 1);
    CHECK(beyond.count == 0);
    wheel.advance(std::chrono::milliseconds(std::chrono::hours(24 * 41)).count());
    CHECK(beyond.count == 1);
}

TEST_CASE("a timer may be disarmed, armed anew, and destroyed while it waits") {
    io::TimerWheel wheel;
    Alarm kept(wheel);
    {
        Alarm gone(wheel);
        wheel.arm(gone, 5ms);
        wheel.arm(kept, 5ms);
    }
    wheel.arm(kept, 50ms);
    wheel.advance(40);
    CHECK(kept.count == 0);
    kept.disarm();
    wheel.advance(200);
    CHECK(kept.count == 0);
    CHECK_FALSE(kept.armed());
}

TEST_CASE("a timer that arms itself again keeps its rhythm") {
    io::TimerWheel wheel;
    Alarm alarm(wheel);
    alarm.repeat = 9ms;
    wheel.arm(alarm, 9ms);
    for (std::uint64_t tick = 1; tick <= 1000; ++tick)
        wheel.advance(tick);
    CHECK(alarm.count == 100);
}
