#include "gateway/island_numbers.h"

#include <catch2/catch.hpp>

using namespace reef;
using namespace std::chrono_literals;
using gateway::IslandNumbers;
using gateway::IslandRun;

namespace {

IslandRun runOf(std::chrono::microseconds wall) {
    IslandRun run;
    run.wall = wall;
    return run;
}

bool isNear(std::chrono::microseconds found, std::chrono::microseconds truth) {
    return found > truth * 7 / 8 && found < truth * 9 / 8;
}

} // namespace

TEST_CASE("runs of an island are counted, and the busiest island comes first") {
    IslandNumbers numbers;
    for (int i = 1; i <= 100; ++i) {
        IslandRun run = runOf(i * 1ms);
        run.queued = 2ms;
        run.cpu = 500us;
        run.peakMemory = 1000U + static_cast<ByteCount>(i % 7);
        run.bytes = 10;
        run.failed = i % 10 == 0;
        numbers.record("/srv/cgi-bin/a", "/cgi-bin/a", std::move(run));
    }
    numbers.record("/srv/cgi-bin/b", "/cgi-bin/b", runOf(10s));
    const auto report = numbers.report();
    REQUIRE(report.size() == 2);
    CHECK(report[0].file == "/srv/cgi-bin/b");
    const auto& a = report[1];
    CHECK(a.name == "/cgi-bin/a");
    CHECK(a.runs == 100);
    CHECK(a.failures == 10);
    CHECK(isNear(a.wall.p50, 50ms));
    CHECK(isNear(a.wall.p95, 95ms));
    CHECK(isNear(a.wall.p99, 99ms));
    CHECK(isNear(a.queued.p99, 2ms));
    CHECK(isNear(a.cpu.p50, 500us));
    CHECK(a.peakMemory == 1006);
    CHECK(a.bytes == 1000);
}

TEST_CASE("the last lines of standard error are kept, over all runs") {
    IslandNumbers numbers;
    for (int i = 0; i != 4; ++i) {
        IslandRun run;
        run.errors = {"first of " + std::to_string(i), "second of " + std::to_string(i)};
        numbers.record("/a", "/a", std::move(run));
    }
    const auto report = numbers.report();
    CHECK(report[0].errors == std::vector<std::string>{"second of 1", "first of 2", "second of 2",
                                                       "first of 3", "second of 3"});
}

TEST_CASE("of more islands than are kept, the one that ran longest ago is forgotten") {
    IslandNumbers numbers;
    const auto name = [](std::size_t i) { return "/cgi-bin/" + std::to_string(i); };
    for (std::size_t i = 0; i != IslandNumbers::kMaxIslands; ++i)
        numbers.record(name(i), name(i), IslandRun());
    numbers.record(name(0), name(0), IslandRun());
    numbers.record("/new", "/new", IslandRun());
    const auto report = numbers.report();
    CHECK(report.size() == IslandNumbers::kMaxIslands);
    const auto knows = [&report](const std::string& file) {
        return std::ranges::any_of(report, [&](const auto& each) { return each.file == file; });
    };
    CHECK(knows(name(0)));
    CHECK_FALSE(knows(name(1)));
    CHECK(knows("/new"));
}
