#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

/// Times small pieces of work and prints nanoseconds a call.
namespace reef::bench {

/// The compiler must believe that `value` is read, and that memory has changed.
template<class T>
void keep(const T& value) {
    asm volatile("" : : "g"(&value) : "memory");
}

/// Median nanoseconds of one call over rounds of about 0.2 ms each, short enough to lie between
/// interruptions.
template<class Work>
double nanoseconds(Work&& work) {
    using Clock = std::chrono::steady_clock;
    const auto timeOf = [&](std::size_t calls) {
        const auto begin = Clock::now();
        for (std::size_t i = 0; i < calls; ++i)
            work();
        return std::chrono::duration<double, std::nano>(Clock::now() - begin).count();
    };
    std::size_t calls = 1;
    while (timeOf(calls) < 2e5)
        calls *= 2;
    std::vector<double> rounds;
    for (int round = 0; round < 301; ++round)
        rounds.push_back(timeOf(calls) / static_cast<double>(calls));
    std::ranges::nth_element(rounds, rounds.begin() + 150);
    return rounds[150];
}

/// Measures and prints one line; with a baseline (nanoseconds), also how many times faster it is.
template<class Work>
double report(const char* name, Work&& work, double baseline = 0) {
    const double time = nanoseconds(work);
    std::printf("%-44s %9.1f ns", name, time);
    if (baseline > 0) std::printf("   %6.2f x", baseline / time);
    std::printf("\n");
    return time;
}

} // namespace reef::bench
