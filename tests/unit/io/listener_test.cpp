#include "io/listener.h"
#include "io/sockets.h"

#include <sys/resource.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cerrno>
#include <string>
#include <vector>

using namespace reef;
using test::runUntil;

namespace {

io::Address boundTo(const Fd& socket) {
    sockaddr_storage storage{};
    socklen_t length = sizeof storage;
    REQUIRE(::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&storage), &length) == 0);
    return {reinterpret_cast<sockaddr*>(&storage), length};
}

Fd connectTo(const io::Address& address) {
    Fd socket(::socket(address.family(), SOCK_STREAM | SOCK_CLOEXEC, 0));
    REQUIRE(::connect(socket.get(), address.data(), address.size()) == 0);
    return socket;
}

Task<void> acceptAll(io::Listener& listener, std::vector<Fd>& accepted,
                     std::vector<Error>& errors) {
    for (;;) {
        auto one = co_await listener.accept();
        if (!one) {
            errors.push_back(one.error());
            co_return;
        }
        accepted.push_back(std::move(one->socket));
    }
}

} // namespace

TEST_CASE("connections are accepted as they come, several at a time") {
    io::Loop loop;
    auto socket = io::listenAt(*io::Address::parse("127.0.0.1:0"));
    REQUIRE(socket);
    const auto address = boundTo(*socket);
    io::Listener listener(loop, std::move(*socket));
    std::vector<Fd> accepted;
    std::vector<Error> errors;
    loop.tasks().start(acceptAll(listener, accepted, errors));
    std::vector<Fd> clients;
    for (int i = 0; i < 5; ++i)
        clients.push_back(connectTo(address));
    runUntil(loop, [&] { return accepted.size() == 5; });
    clients.push_back(connectTo(address));
    runUntil(loop, [&] { return accepted.size() == 6; });
    CHECK(errors.empty());
}

TEST_CASE("a taken port is EADDRINUSE; two that share it both listen") {
    auto first = io::listenAt(*io::Address::parse("127.0.0.1:0"));
    REQUIRE(first);
    const auto address = boundTo(*first);
    CHECK(io::listenAt(address).error().systemError() == EADDRINUSE);
    auto shared = io::listenAt(*io::Address::parse("127.0.0.1:0"), io::Spread::yes);
    REQUIRE(shared);
    CHECK(io::listenAt(boundTo(*shared), io::Spread::yes));
}

TEST_CASE("a unix socket left behind is replaced, and one that is alive is not") {
    char directory[] = "/tmp/atoll-listener-XXXXXX";
    REQUIRE(::mkdtemp(directory) != nullptr);
    const std::string path = std::string(directory) + "/site.sock";
    const auto address = io::Address::parse("unix:" + path);
    REQUIRE(address);
    {
        auto alive = io::listenAt(*address);
        REQUIRE(alive);
        CHECK(io::listenAt(*address).error().systemError() == EADDRINUSE);
    }
    CHECK(io::listenAt(*address)); // nobody answers there any more
    ::unlink(path.c_str());
    ::rmdir(directory);
}

// UBSan looks at memory through a pipe of its own, and takes fright when it can get none.
#if !__has_feature(undefined_behavior_sanitizer)
TEST_CASE("without descriptors accept says so, and the connection waits for later") {
    io::Loop loop;
    auto socket = io::listenAt(*io::Address::parse("127.0.0.1:0"));
    REQUIRE(socket);
    const auto address = boundTo(*socket);
    io::Listener listener(loop, std::move(*socket));
    const Fd client = connectTo(address);
    rlimit before{};
    REQUIRE(::getrlimit(RLIMIT_NOFILE, &before) == 0);
    rlimit none = before;
    none.rlim_cur = 3; // all that are open stay open, no further one can be
    std::vector<Fd> accepted;
    std::vector<Error> errors;
    REQUIRE(::setrlimit(RLIMIT_NOFILE, &none) == 0);
    loop.tasks().start(acceptAll(listener, accepted, errors));
    for (int i = 0; i < 100 && errors.empty(); ++i) {
        loop.post([] {});
        loop.turn();
    }
    REQUIRE(::setrlimit(RLIMIT_NOFILE, &before) == 0);
    REQUIRE(errors.size() == 1);
    CHECK(errors.front().systemError() == EMFILE);
    loop.tasks().start(acceptAll(listener, accepted, errors));
    runUntil(loop, [&] { return accepted.size() == 1; });
}
#endif
