// What the event loop costs. Baselines: the bare system calls of the same exchange.
#include "io/loop.h"
#include "io/sleep.h"
#include "io/stream.h"
#include "measure.h"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <memory>
#include <vector>

using namespace reef;
using bench::keep;
using bench::report;

namespace {

struct Pair {
    Pair() {
        int ends[2];
        if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) != 0)
            std::abort();
        one = Fd(ends[0]);
        two = Fd(ends[1]);
    }
    Fd one;
    Fd two;
};

Task<void> echo(io::Stream& stream) {
    char room[256];
    for (;;) {
        const auto got = co_await stream.read(room, std::chrono::seconds(60));
        if (!got || *got == 0) co_return;
        co_await stream.write({room, *got}, std::chrono::seconds(60));
    }
}

/// An exchange of 100 bytes with one of many open connections.
double bareEcho() {
    Pair pair;
    const Fd epoll(::epoll_create1(EPOLL_CLOEXEC));
    epoll_event event{};
    event.events = EPOLLIN | EPOLLET;
    ::epoll_ctl(epoll.get(), EPOLL_CTL_ADD, pair.one.get(), &event);
    return report("echo of 100 bytes: bare epoll, recv, send", [&] {
        char room[256] = {};
        keep(::send(pair.two.get(), room, 100, 0));
        epoll_event ready{};
        keep(::epoll_wait(epoll.get(), &ready, 1, -1));
        const auto got = ::recv(pair.one.get(), room, sizeof room, 0);
        keep(::send(pair.one.get(), room, static_cast<std::size_t>(got), 0));
        keep(::recv(pair.two.get(), room, sizeof room, 0));
    });
}

void loopEcho(double baseline) {
    Pair pair;
    io::Loop loop;
    io::SocketStream stream(loop, std::move(pair.one));
    loop.tasks().start(echo(stream));
    report(
        "echo of 100 bytes: a task with timeouts",
        [&] {
            char room[256] = {};
            keep(::send(pair.two.get(), room, 100, 0));
            loop.turn();
            keep(::recv(pair.two.get(), room, sizeof room, 0));
        },
        baseline);
    loop.tasks().dropAll();
}

struct Quiet final : io::Timer {
    void expired() override {}
};

void timers() {
    io::TimerWheel wheel;
    std::vector<std::unique_ptr<Quiet>> many;
    for (int i = 0; i < 10'000; ++i) {
        many.push_back(std::make_unique<Quiet>());
        wheel.arm(*many.back(), std::chrono::milliseconds(i * 7));
    }
    Quiet one;
    report("timer: arm and disarm among 10,000", [&] {
        wheel.arm(one, std::chrono::seconds(60));
        one.disarm();
    });
}

} // namespace

int main() {
    loopEcho(bareEcho());
    timers();
}
