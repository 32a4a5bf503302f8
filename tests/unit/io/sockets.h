#pragma once

#include "base/fd.h"
#include "io/loop.h"
#include "io/stream.h"

#include <sys/socket.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <functional>

namespace reef::test {

/// Two connected stream sockets, non-blocking.
struct SocketPair {
    explicit SocketPair(int bufferBytes = 0) {
        int ends[2];
        REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) == 0);
        one = Fd(ends[0]);
        two = Fd(ends[1]);
        if (bufferBytes == 0) return;
        ::setsockopt(one.get(), SOL_SOCKET, SO_SNDBUF, &bufferBytes, sizeof bufferBytes);
        ::setsockopt(two.get(), SOL_SOCKET, SO_SNDBUF, &bufferBytes, sizeof bufferBytes);
    }
    Fd one;
    Fd two;
};

/// Runs turns of the loop until `done` says so; fails after five seconds.
inline void runUntil(io::Loop& loop, const std::function<bool()>& done) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(5);
    while (!done()) {
        REQUIRE(std::chrono::steady_clock::now() < deadline);
        loop.post([] {}); // no turn waits for ever
        loop.turn();
    }
}

} // namespace reef::test
