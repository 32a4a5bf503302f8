#include "io/packet.h"
#include "io/sockets.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <string>

using namespace reef;
using test::runUntil;

namespace {

Task<void> receiveOne(io::PacketSocket& socket, ByteRoom room,
                      std::optional<Result<io::Packet>>& out) {
    out = co_await socket.receive(room);
}

Task<void> sendMany(io::PacketSocket& socket, int count, int& sent) {
    const std::string packet(4000, 'p');
    while (sent < count) {
        const auto status = co_await socket.send(bytesOf(packet));
        if (!status) co_return;
        ++sent;
    }
}

} // namespace

TEST_CASE("descriptors travel with a packet and are close-on-exec") {
    auto pair = io::packetPair();
    REQUIRE(pair);
    const Fd file(::memfd_create("test", MFD_CLOEXEC));
    REQUIRE(::write(file.get(), "hello", 5) == 5);
    const int descriptors[] = {file.get(), STDIN_FILENO};
    REQUIRE(io::sendPacket(pair->first.get(), bytesOf("take these"), descriptors));
    char room[64];
    const auto packet = io::receivePacket(pair->second.get(), room);
    REQUIRE(packet);
    CHECK(std::string(room, packet->size) == "take these");
    REQUIRE(packet->descriptors.size() == 2);
    CHECK((::fcntl(packet->descriptors[0].get(), F_GETFD) & FD_CLOEXEC) != 0);
    char content[5];
    CHECK(::pread(packet->descriptors[0].get(), content, 5, 0) == 5);
}

TEST_CASE("nothing waiting, a packet that does not fit, and a peer that is gone are told apart") {
    auto pair = io::packetPair();
    REQUIRE(pair);
    char room[4];
    CHECK(io::receivePacket(pair->second.get(), room).error() == Error::unavailable);
    REQUIRE(io::sendPacket(pair->first.get(), bytesOf("too long for it"), {}));
    CHECK(io::receivePacket(pair->second.get(), room).error() == Error::tooLarge);
    pair->first.reset();
    CHECK(io::receivePacket(pair->second.get(), room).error() == Error::peerClosed);
    CHECK(io::sendPacket(pair->second.get(), bytesOf("x"), {}).error() == Error::peerClosed);
}

TEST_CASE("a task waits for a packet, and learns that the other end has gone") {
    io::Loop loop;
    auto pair = io::packetPair();
    REQUIRE(pair);
    io::PacketSocket socket(loop, std::move(pair->first));
    char room[64];
    std::optional<Result<io::Packet>> out;
    loop.tasks().start(receiveOne(socket, room, out));
    CHECK_FALSE(out);
    REQUIRE(io::sendPacket(pair->second.get(), bytesOf("news"), {}));
    runUntil(loop, [&] { return out.has_value(); });
    CHECK((*out)->size == 4);
    out.reset();
    loop.tasks().start(receiveOne(socket, room, out));
    pair->second.reset();
    runUntil(loop, [&] { return out.has_value(); });
    CHECK(out->error() == Error::peerClosed);
}

TEST_CASE("a sender waits while the receiver's queue is full") {
    io::Loop loop;
    auto pair = io::packetPair();
    REQUIRE(pair);
    io::PacketSocket socket(loop, std::move(pair->first));
    int sent = 0;
    loop.tasks().start(sendMany(socket, 500, sent));
    CHECK(sent < 500);
    char room[4096];
    int received = 0;
    runUntil(loop, [&] {
        while (io::receivePacket(pair->second.get(), room))
            ++received;
        return received == 500;
    });
    CHECK(sent == 500);
}
