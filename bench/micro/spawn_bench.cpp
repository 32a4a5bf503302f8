// What the keeper costs: runs of a program through keeper and client, against a bare posix_spawn
// loop that does the same (pipe, start, read the output to its end, wait for the exit), in turns,
// all on one CPU. The ratio is that of CPU time, of server, keeper and programs together: on one
// busy CPU that is what limits the number of runs, and other work on the machine does not change
// it.
//
//     bench_spawn PROGRAM [RUNS-PER-ROUND]      PROGRAM: a static C hello, for example
//
// This program is the keeper, and starts itself as the server, which measures.
#include "io/loop.h"
#include "io/stream.h"
#include "process/inheritance.h"
#include "process/keeper.h"
#include "process/keeper_client.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <spawn.h>
#include <vector>

using namespace reef;
using namespace reef::process;

namespace {

using Microseconds = std::chrono::duration<double, std::micro>;

constexpr int kRounds = 15;

constexpr std::array kEnvironment{"PATH=/usr/local/bin:/usr/bin:/bin",
                                  "GATEWAY_INTERFACE=CGI/1.1",
                                  "SERVER_PROTOCOL=HTTP/1.1",
                                  "SERVER_SOFTWARE=bench",
                                  "SERVER_NAME=127.0.0.1",
                                  "SERVER_PORT=80",
                                  "REMOTE_ADDR=127.0.0.1",
                                  "REQUEST_METHOD=GET",
                                  "SCRIPT_NAME=/cgi-bin/program",
                                  "QUERY_STRING=",
                                  "HTTP_HOST=127.0.0.1"};

[[noreturn]] void die(const char* what) {
    std::perror(what);
    std::exit(1);
}

/// CPU time of the programs that have ended, of either way.
std::chrono::microseconds programTime{};

std::chrono::nanoseconds cpuTimeOf(clockid_t clock) {
    timespec time{};
    if (::clock_gettime(clock, &time) != 0) die("clock_gettime");
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

/// CPU time of everything that takes part.
std::chrono::nanoseconds cpuTime() {
    clockid_t keeper{};
    if (::clock_getcpuclockid(::getppid(), &keeper) != 0) die("clock_getcpuclockid");
    return cpuTimeOf(CLOCK_PROCESS_CPUTIME_ID) + cpuTimeOf(keeper) + programTime;
}

/// Whoever fails fast must not win.
void account(int waitStatus, std::size_t bytes, std::chrono::microseconds time) {
    programTime += time;
    if (waitStatus == 0 && bytes > 0) return;
    std::fprintf(stderr, "the program failed: wait status %d, %zu bytes\n", waitStatus, bytes);
    std::exit(1);
}

std::chrono::microseconds microsecondsOf(const timeval& time) {
    return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
}

void runBare(const char* program) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) die("pipe2");
    const Fd input(ends[0]);
    Fd output(ends[1]);
    std::array<char*, kEnvironment.size() + 1> environment{};
    for (std::size_t i = 0; i < kEnvironment.size(); ++i)
        environment[i] = const_cast<char*>(kEnvironment[i]);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, output.get(), STDOUT_FILENO);
    char* arguments[] = {const_cast<char*>(program), nullptr};
    pid_t child = -1;
    if (::posix_spawn(&child, program, &actions, nullptr, arguments, environment.data()) != 0)
        die(program);
    posix_spawn_file_actions_destroy(&actions);
    output.reset();
    char room[4096];
    std::size_t bytes = 0;
    for (ssize_t got = 0; (got = ::read(input.get(), room, sizeof room)) > 0;)
        bytes += static_cast<std::size_t>(got);
    int status = 0;
    rusage usage{};
    if (::wait4(child, &status, 0, &usage) != child) die("wait4");
    account(status, bytes, microsecondsOf(usage.ru_utime) + microsecondsOf(usage.ru_stime));
}

Task<void> runKept(io::Loop& loop, KeeperClient& client, const char* program) {
    auto pipe = io::makePipe(io::OurEnd::read);
    if (!pipe) die("pipe");
    SpawnRequest request(program);
    request.arguments.add(program);
    for (const char* entry : kEnvironment)
        request.environment.add(entry);
    request.output = std::move(pipe->write);
    request.error = ChildDescriptor::lend(STDERR_FILENO);
    auto child = co_await client.spawn(std::move(request));
    if (!child) {
        std::fprintf(stderr, "%s\n", child.error().describe().c_str());
        std::exit(1);
    }
    io::PipeStream output(loop, std::move(pipe->read));
    char room[4096];
    std::size_t bytes = 0;
    for (;;) {
        const auto got = co_await output.read(room);
        if (!got || *got == 0) break;
        bytes += *got;
    }
    const auto exit = co_await child->exited();
    if (!exit) die("the keeper is gone");
    account(exit->waitStatus, bytes, exit->userTime + exit->systemTime);
}

Task<void> runOneAfterAnother(io::Loop& loop, KeeperClient& client, const char* program,
                              int& left) {
    while (left > 0) {
        --left;
        co_await runKept(loop, client, program);
    }
}

Task<void> runRound(io::Loop& loop, KeeperClient& client, const char* program, int runs,
                    int atOnce) {
    coro::Scope tasks;
    for (int i = 0; i < atOnce; ++i)
        tasks.start(runOneAfterAnother(loop, client, program, runs));
    co_await tasks.join();
    loop.stop();
}

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

/// Microseconds a run, one value for each round.
struct Times {
    std::vector<double> wall;
    std::vector<double> cpu;

    template<class Work>
    void add(int runs, Work work) {
        const auto begin = std::chrono::steady_clock::now();
        const auto cpuBegin = cpuTime();
        work();
        cpu.push_back(Microseconds(cpuTime() - cpuBegin).count() / runs);
        wall.push_back(Microseconds(std::chrono::steady_clock::now() - begin).count() / runs);
    }

    void print(const char* what, int atOnce, const Times& bare) const {
        std::vector<double> ratios;
        for (std::size_t i = 0; i < cpu.size(); ++i)
            ratios.push_back(bare.cpu[i] / cpu[i]);
        std::printf("%-24s %2d at a time %9.1f us CPU %9.1f us wall a run   %5.2f of bare\n", what,
                    atOnce, median(cpu), median(wall), median(ratios));
    }
};

void measure(io::Loop& loop, KeeperClient& client, const char* program, int runs) {
    const std::array widths{1, 4, 16};
    Times bare;
    std::array<Times, widths.size()> kept;
    for (int round = 0; round < kRounds; ++round) {
        bare.add(runs, [&] {
            for (int i = 0; i < runs; ++i)
                runBare(program);
        });
        for (std::size_t i = 0; i < widths.size(); ++i) {
            kept[i].add(runs, [&] {
                loop.tasks().start(runRound(loop, client, program, runs, widths[i]));
                loop.run();
            });
        }
    }
    bare.print("posix_spawn", 1, bare);
    for (std::size_t i = 0; i < widths.size(); ++i)
        kept[i].print("through the keeper", widths[i], bare);
}

int serve(const char* program, int runs) {
    auto inheritance = receiveInheritance(Fd(kControlDescriptor));
    if (!inheritance) return 70;
    io::Loop loop;
    KeeperClient client(loop, std::move(inheritance->links.front()));
    measure(loop, client, program, runs);
    return 0; // before Ready: the keeper takes it as its own exit status
}

void pinToOneCpu() {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<std::size_t>(::sched_getcpu()), &one);
    if (::sched_setaffinity(0, sizeof one, &one) != 0) die("sched_setaffinity");
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: bench_spawn PROGRAM [RUNS-PER-ROUND]\n");
        return 2;
    }
    const bool isServer = std::strcmp(argv[argc - 2], "--keeper-fd") == 0;
    const int words = isServer ? argc - 2 : argc;
    const int runs = words > 2 ? std::atoi(argv[2]) : 200;
    if (isServer) return serve(argv[1], runs);
    pinToOneCpu();
    KeeperSpec spec;
    spec.server.executable = openOwnExecutable();
    spec.server.arguments.assign(argv, argv + argc);
    spec.server.environment = ownEnvironment();
    return Keeper(std::move(spec)).run();
}
