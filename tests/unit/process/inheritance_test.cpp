#include "io/packet.h"
#include "process/inheritance.h"
#include "process/protocol.h"
#include "waiting.h"

#include <catch2/catch.hpp>
#include <cerrno>

using namespace reef;
using namespace reef::process;

namespace {

struct Ends {
    Ends() : Ends(*io::packetPair()) {}
    explicit Ends(std::pair<Fd, Fd> pair)
        : ours(std::move(pair.first)), server(std::move(pair.second)) {}

    void tell(const ControlNotice& notice, std::vector<int> descriptors = {}) {
        std::string packet;
        append(packet, notice);
        REQUIRE(io::sendPacket(ours.get(), packet, descriptors));
    }
    Fd ours;
    Fd server;
};

} // namespace

TEST_CASE("an inheritance is complete when links and every listener have come") {
    Ends ends;
    ends.tell(Welcome{3, 2, 2}, {0, 1});
    ends.tell(Listener{"127.0.0.1:8080"}, {0});
    ends.tell(Listener{"[::1]:8081"}, {0, 1, 2});
    const auto inherited = receiveInheritance(std::move(ends.server));
    REQUIRE(inherited);
    CHECK(inherited->generation == 3);
    CHECK(inherited->links.size() == 2);
    REQUIRE(inherited->listeners.size() == 2);
    CHECK(inherited->listeners[0].address.describe() == "127.0.0.1:8080");
    CHECK(inherited->listeners[0].sockets.size() == 1);
    CHECK(inherited->listeners[1].address.describe() == "[::1]:8081");
    CHECK(inherited->listeners[1].sockets.size() == 3);
    CHECK((::fcntl(inherited->control.get(), F_GETFD) & FD_CLOEXEC) != 0);
}

TEST_CASE("what a keeper would not send is malformed") {
    const auto errorAfter = [](auto tell) {
        Ends ends;
        tell(ends);
        ends.ours.reset();
        const auto inherited = receiveInheritance(std::move(ends.server));
        return inherited ? Error(Error::failed) : inherited.error();
    };
    CHECK(errorAfter([](Ends& ends) { ends.tell(Reload{}); }) == Error::malformed);
    CHECK(errorAfter([](Ends& ends) { ends.tell(Welcome{1, 2, 0}, {0}); }) == Error::malformed);
    CHECK(errorAfter([](Ends& ends) {
              ends.tell(Welcome{1, 1, 1}, {0});
              ends.tell(Listener{"127.0.0.1:80"});
          }) == Error::malformed);
    CHECK(errorAfter([](Ends& ends) {
              ends.tell(Welcome{1, 1, 1}, {0});
              ends.tell(Listener{"somewhere"}, {0});
          }) == Error::malformed);
    CHECK(errorAfter([](Ends& ends) {
              ends.tell(Welcome{1, 1, 1}, {0});
              ends.tell(Welcome{1, 1, 1}, {0});
          }) == Error::malformed);
    CHECK(errorAfter([](Ends& ends) { ends.tell(Welcome{1, 1, 1}, {0}); }) == Error::peerClosed);
}

TEST_CASE("a program that no keeper has started is told so") {
    CHECK(receiveInheritance(Fd()).error().systemError() == EBADF);
    const test::Pipe pipe;
    CHECK(receiveInheritance(Fd(::dup(pipe.read.get()))).error().systemError() == ENOTSOCK);
}
