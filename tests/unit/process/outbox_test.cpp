#include "io/packet.h"
#include "process/outbox.h"
#include "waiting.h"

#include <catch2/catch.hpp>
#include <string>

using namespace reef;
using process::Outbox;

namespace {

std::string numbered(int number) {
    return std::to_string(number) + std::string(20'000, '.');
}

} // namespace

TEST_CASE("what the socket does not take is kept, in order, with descriptors of its own") {
    auto ends = *io::packetPair();
    Outbox outbox;
    test::Pipe pipe;
    constexpr int kPackets = 60;
    for (int i = 0; i < kPackets; ++i) {
        const int descriptor = pipe.write.get();
        REQUIRE(outbox.send(ends.first.get(), numbered(i), {&descriptor, 1}));
    }
    CHECK_FALSE(outbox.empty());
    pipe.write.reset();
    std::vector<char> room(65536);
    for (int i = 0; i < kPackets; ++i) {
        const auto packet = io::receivePacket(ends.second.get(), room);
        REQUIRE(packet);
        CHECK(std::string(room.data(), packet->size) == numbered(i));
        REQUIRE(packet->descriptors.size() == 1);
        CHECK(::write(packet->descriptors.front().get(), "x", 1) == 1);
        REQUIRE(outbox.flush(ends.first.get()));
    }
    CHECK(outbox.empty());
    CHECK(test::readAll(pipe.read.get()) == std::string(kPackets, 'x')); // and then its end
}

TEST_CASE("a receiver that is gone is an error") {
    auto ends = *io::packetPair();
    ends.second.reset();
    Outbox outbox;
    CHECK(outbox.send(ends.first.get(), std::string("x")).error() == Error::peerClosed);
    CHECK(outbox.empty());
}

TEST_CASE("a packet larger than the socket's buffer is refused and not kept") {
    auto ends = *io::packetPair();
    Outbox outbox;
    const auto sent = outbox.send(ends.first.get(), std::string(8U << 20U, 'x'));
    REQUIRE_FALSE(sent);
    CHECK(sent.error().systemError() == EMSGSIZE);
    CHECK(outbox.empty());
}
