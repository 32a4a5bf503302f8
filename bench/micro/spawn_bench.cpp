// What the keeper costs: runs of a program through keeper and client, against a bare posix_spawn
// loop that does the same (pipe, start, read the output to its end, wait for the exit), in turns,
// all on one CPU.
//
//     bench_spawn PROGRAM [RUNS-PER-ROUND]      PROGRAM: a static C hello, for example
//
// This program is the keeper, and starts itself as the server, which measures.
#include "io/loop.h"
#include "io/stream.h"
#include "process/inheritance.h"
#include "process/keeper.h"
#include "process/keeper_client.h"

#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
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

/// Whoever fails fast must not win.
void requireSuccess(int waitStatus, std::size_t bytes) {
    if (waitStatus == 0 && bytes > 0) return;
    std::fprintf(stderr, "the program failed: wait status %d, %zu bytes\n", waitStatus, bytes);
    std::exit(1);
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
    if (::waitpid(child, &status, 0) != child) die("waitpid");
    requireSuccess(status, bytes);
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
    requireSuccess(exit ? exit->waitStatus : -1, bytes);
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

template<class Work>
double microsecondsEach(int runs, Work work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return Microseconds(std::chrono::steady_clock::now() - begin).count() / runs;
}

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

void measure(io::Loop& loop, KeeperClient& client, const char* program, int runs) {
    std::vector<double> bare;
    const std::array widths{1, 4, 16};
    std::array<std::vector<double>, widths.size()> kept;
    std::array<std::vector<double>, widths.size()> ratios;
    for (int round = 0; round < kRounds; ++round) {
        bare.push_back(microsecondsEach(runs, [&] {
            for (int i = 0; i < runs; ++i)
                runBare(program);
        }));
        for (std::size_t i = 0; i < widths.size(); ++i) {
            kept[i].push_back(microsecondsEach(runs, [&] {
                loop.tasks().start(runRound(loop, client, program, runs, widths[i]));
                loop.run();
            }));
            ratios[i].push_back(bare.back() / kept[i].back());
        }
    }
    std::printf("%-36s %8.1f us a run\n", "posix_spawn, one after another", median(bare));
    for (std::size_t i = 0; i < widths.size(); ++i)
        std::printf("through the keeper, %2d at a time     %8.1f us a run   %5.2f of bare\n",
                    widths[i], median(kept[i]), median(ratios[i]));
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
