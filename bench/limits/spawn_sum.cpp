// spawn_sum SECONDS PROGRAM...: runs the programs one after another, again and again, for SECONDS,
// and prints what one set of all of them costs: the least CPU time a page of these islands can
// take.
//
//     sets 412 seconds 3.002
//     program 0.001834 /site/cgi-bin/bash-island      (seconds for one run, one line per program)

#include "bare_spawn.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

struct Totals {
    std::vector<Seconds> perProgram;
    Seconds elapsed{};
    long sets = 0;
};

Totals runFor(Seconds limit, std::span<char*> programs) {
    Totals totals;
    totals.perProgram.resize(programs.size());
    std::string output;
    const auto start = Clock::now();
    auto before = start;
    while (totals.elapsed < limit) {
        for (std::size_t i = 0; i < programs.size(); ++i) {
            reef::bench::runProgram(programs[i], output);
            const auto after = Clock::now();
            totals.perProgram[i] += after - before;
            before = after;
        }
        ++totals.sets;
        totals.elapsed = before - start;
    }
    return totals;
}

} // namespace

int main(int argc, char** argv) {
    const double seconds = argc > 2 ? std::strtod(argv[1], nullptr) : 0;
    if (seconds <= 0 || seconds > 600) {
        std::fprintf(stderr, "usage: spawn_sum SECONDS PROGRAM...\n");
        return 2;
    }
    const std::span programs(argv + 2, static_cast<std::size_t>(argc - 2));
    const Totals totals = runFor(Seconds(seconds), programs);
    std::printf("sets %ld seconds %.6f\n", totals.sets, totals.elapsed.count());
    for (std::size_t i = 0; i < programs.size(); ++i) {
        const double one = totals.perProgram[i].count() / static_cast<double>(totals.sets);
        std::printf("program %.6f %s\n", one, programs[i]);
    }
}
