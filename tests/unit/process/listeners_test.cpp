#include "process/listeners.h"
#include "waiting.h"

#include <sys/socket.h>
#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <cerrno>
#include <filesystem>
#include <set>

using namespace reef;
using process::Listeners;

namespace {

io::Address loopback() {
    return *io::Address::parse("127.0.0.1:0");
}

bool accepts(const io::Address& address) {
    const Fd socket(::socket(address.family(), SOCK_STREAM | SOCK_CLOEXEC, 0));
    return ::connect(socket.get(), address.data(), address.size()) == 0;
}

} // namespace

TEST_CASE("a listener knows the port it was given, and holds one socket for each loop") {
    Listeners listeners;
    const auto entry = listeners.add(loopback(), 3);
    REQUIRE(entry);
    CHECK((*entry)->address.port() != 0);
    CHECK((*entry)->sockets.size() == 3);
    CHECK(accepts((*entry)->address));
}

TEST_CASE("asking for an address twice gives the same sockets") {
    Listeners listeners;
    const auto first = listeners.add(loopback(), 2);
    REQUIRE(first);
    const auto address = (*first)->address;
    const int number = (*first)->sockets[0].get();
    const auto again = listeners.add(address, 2);
    REQUIRE(again);
    CHECK((*again)->sockets[0].get() == number);
    CHECK(listeners.entries().size() == 1);
    CHECK(listeners.add(address, 3).error() == Error::unsupported);
}

TEST_CASE("a port in use is an error, also when both would share it with SO_REUSEPORT") {
    Listeners one;
    Listeners other;
    for (const unsigned copies : {1U, 2U}) {
        const auto held = one.add(loopback(), copies);
        REQUIRE(held);
        const auto taken = other.add((*held)->address, copies);
        REQUIRE_FALSE(taken);
        CHECK(taken.error().systemError() == EADDRINUSE);
    }
}

TEST_CASE("a removed address refuses connections") {
    Listeners listeners;
    const auto entry = listeners.add(loopback());
    REQUIRE(entry);
    const auto address = (*entry)->address;
    CHECK(listeners.remove(address));
    CHECK_FALSE(accepts(address));
    CHECK(listeners.remove(address).error() == Error::notFound);
}

TEST_CASE("a number of copies that cannot be handed over is refused") {
    Listeners listeners;
    CHECK(listeners.add(loopback(), 0).error() == Error::unsupported);
    CHECK(listeners.add(loopback(), 33).error() == Error::unsupported);
    const test::Scratch scratch;
    const auto unixSocket = *io::Address::parse("unix:" + (scratch / "socket"));
    CHECK(listeners.add(unixSocket, 2).error() == Error::unsupported);
    CHECK(listeners.add(unixSocket, 1));
}

TEST_CASE("a unix socket is open to all who may enter its directory, and goes with its address") {
    Listeners listeners;
    const test::Scratch scratch;
    const auto address = *io::Address::parse("unix:" + (scratch / "socket"));
    REQUIRE(listeners.add(address, 1));
    const auto rights = std::filesystem::status(scratch / "socket").permissions();
    CHECK(rights == static_cast<std::filesystem::perms>(0666));
    const mode_t mask = ::umask(022);
    ::umask(mask);
    CHECK(mask != 0111); // other files have the rights that they had
    CHECK(listeners.remove(address));
    CHECK_FALSE(std::filesystem::exists(scratch / "socket"));
}
