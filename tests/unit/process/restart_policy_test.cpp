#include "process/restart_policy.h"

#include <catch2/catch.hpp>

using namespace std::chrono_literals;
using reef::process::Clock;
using reef::process::RestartPolicy;

TEST_CASE("the first four deaths are followed by a start at once, the fifth within 10 s is not") {
    RestartPolicy policy;
    const auto start = Clock::time_point(1000s);
    for (int death = 0; death < 4; ++death)
        CHECK(policy.delayAfterDeath(start + death * 1s) == 0s);
    CHECK(policy.delayAfterDeath(start + 4s) == 1s);
    CHECK(policy.delayAfterDeath(start + 5s) == 1s);
}

TEST_CASE("deaths that lie apart never delay a start") {
    RestartPolicy policy;
    for (int death = 0; death < 20; ++death)
        CHECK(policy.delayAfterDeath(Clock::time_point(1000s + death * 3s)) == 0s);
}

TEST_CASE("after a quiet time a quick death costs nothing again") {
    RestartPolicy policy;
    const auto start = Clock::time_point(1000s);
    for (int death = 0; death < 5; ++death)
        policy.delayAfterDeath(start);
    CHECK(policy.delayAfterDeath(start) == 1s);
    CHECK(policy.delayAfterDeath(start + 60s) == 0s);
}
