#include "process/limit_check.h"

#include <sys/resource.h>
#include <unistd.h>

#include <catch2/catch.hpp>

using namespace reef;
using process::LimitRights;
using process::Limits;

TEST_CASE("the usual limits can always be set") {
    const Limits limits = process::usualLimits();
    CHECK(process::faultsOfLimits(limits, LimitRights()).empty());
    CHECK(limits.dataSize >= 256_MiB);
    CHECK(limits.coreSize == 0U);
}

TEST_CASE("what is above a hard limit cannot be set without the right to raise it") {
    rlimit files{};
    REQUIRE(::getrlimit(RLIMIT_NOFILE, &files) == 0);
    if (files.rlim_max >= 0xffff'fff0U) return; // nothing is above it
    Limits limits;
    limits.openFiles = static_cast<std::uint32_t>(files.rlim_max);
    CHECK(process::faultsOfLimits(limits, LimitRights()).empty());
    ++*limits.openFiles;
    const auto faults = process::faultsOfLimits(limits, LimitRights());
    REQUIRE(faults.size() == 1);
    CHECK(faults[0].find("`files`") != std::string::npos);
    CHECK(process::faultsOfLimits(limits, {true, false}).empty());
    limits.openFiles = process::kUnlimited<std::uint32_t>; // means: what there is
    CHECK(process::faultsOfLimits(limits, LimitRights()).empty());
}

TEST_CASE("who may not hurry others cannot go below its own nice value") {
    const int own = ::getpriority(PRIO_PROCESS, 0);
    if (own <= -20) return;
    rlimit ceiling{};
    REQUIRE(::getrlimit(RLIMIT_NICE, &ceiling) == 0);
    if (ceiling.rlim_max != 0) return; // it may
    Limits limits;
    limits.nice = own;
    CHECK(process::faultsOfLimits(limits, LimitRights()).empty());
    limits.nice = own - 1;
    CHECK(process::faultsOfLimits(limits, LimitRights()).size() == 1);
    CHECK(process::faultsOfLimits(limits, {false, true}).empty());
}

TEST_CASE("a process that does not exist has no rights") {
    const auto rights = LimitRights::of(-1);
    CHECK_FALSE(rights.mayRaise);
    CHECK_FALSE(rights.mayHurry);
}
