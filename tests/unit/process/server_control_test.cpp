#include "io/packet.h"
#include "io/sleep.h"
#include "process/server_control.h"
#include "waiting.h"

#include <catch2/catch.hpp>
#include <cerrno>
#include <optional>

using namespace reef;
using namespace reef::process;
using namespace reef::test;

namespace {

/// The server's end on a loop that is turned by hand; the test itself is the keeper.
class Fixture {
public:
    Fixture() : Fixture(*io::packetPair()) {}

    /// Turns the loop until the condition holds.
    template<class Condition>
    bool turnUntil(Condition condition) {
        const auto giveUp = std::chrono::steady_clock::now() + kPatience;
        loop.tasks().start(tick());
        while (!condition() && std::chrono::steady_clock::now() < giveUp)
            loop.turn();
        return condition();
    }

    template<class T>
    static Task<void> keep(Task<T> task, std::optional<T>& value) {
        value.emplace(co_await std::move(task));
    }

    void tell(const ControlNotice& notice, std::vector<int> descriptors = {}) {
        std::string packet;
        append(packet, notice);
        REQUIRE(io::sendPacket(keeper.get(), packet, descriptors));
    }

    /// What the server has said; views are valid until the next call.
    ControlRequest hear() {
        Result<io::Packet> packet = fail(Error::unavailable);
        REQUIRE(eventually([&] { return bool(packet = io::receivePacket(keeper.get(), room_)); }));
        PacketReader reader(ByteView(room_).first(packet->size));
        const auto request = reader.next<ControlRequest>();
        REQUIRE(request);
        return *request;
    }

    io::Loop loop;
    Fd keeper;
    ServerControl control;

private:
    explicit Fixture(std::pair<Fd, Fd> ends)
        : keeper(std::move(ends.first)), control(loop, std::move(ends.second)), room_(65536) {}

    Task<void> tick() {
        for (;;)
            co_await io::Sleep(loop, 20ms);
    }
    std::vector<char> room_;
};

using Wish = ServerControl::Wish;
using Sockets = Result<std::vector<Fd>>;

} // namespace

TEST_CASE("the keeper's wishes come in order, also those that came before anyone asked") {
    Fixture fixture;
    fixture.tell(Reload{});
    fixture.tell(Stop{1500});
    for (const std::size_t index : {0UL, 1UL}) {
        std::optional<Wish> wish;
        fixture.loop.tasks().start(Fixture::keep(fixture.control.next(), wish));
        REQUIRE(fixture.turnUntil([&] { return wish.has_value(); }));
        CHECK(wish->index() == index);
        if (const auto* stop = std::get_if<ServerControl::Stop>(&*wish))
            CHECK(stop->grace == 1500ms);
    }
}

TEST_CASE("a lost keeper is told to everyone who waits, and for ever after") {
    Fixture fixture;
    std::optional<Wish> wish;
    std::optional<Sockets> sockets;
    std::optional<Result<KeeperStatus>> status;
    fixture.loop.tasks().start(Fixture::keep(fixture.control.next(), wish));
    const auto address = *io::Address::parse("127.0.0.1:80");
    fixture.loop.tasks().start(Fixture::keep(fixture.control.listen(address, 1), sockets));
    fixture.loop.tasks().start(Fixture::keep(fixture.control.status(), status));
    fixture.keeper.reset();
    REQUIRE(fixture.turnUntil([&] { return wish && sockets && status; }));
    CHECK(std::holds_alternative<ServerControl::Lost>(*wish));
    CHECK(sockets->error() == Error::unavailable);
    CHECK(status->error() == Error::unavailable);
    CHECK(fixture.control.ready().error() == Error::peerClosed);
    wish.reset();
    fixture.loop.tasks().start(Fixture::keep(fixture.control.next(), wish));
    REQUIRE(wish);
    CHECK(std::holds_alternative<ServerControl::Lost>(*wish));
}

TEST_CASE("what the server says reaches the keeper") {
    Fixture fixture;
    CHECK(fixture.control.ready());
    CHECK(std::holds_alternative<Ready>(fixture.hear()));
    CHECK(fixture.control.drained());
    CHECK(std::holds_alternative<Drained>(fixture.hear()));
    CHECK(fixture.control.quit());
    CHECK(std::holds_alternative<Quit>(fixture.hear()));
    CHECK(fixture.control.unlisten(*io::Address::parse("[::1]:80")));
    const auto heard = fixture.hear();
    CHECK(std::get<Unlisten>(heard).address == "[::1]:80");
}

TEST_CASE("answers find who asked, in whatever order they come") {
    Fixture fixture;
    std::optional<Sockets> one;
    std::optional<Sockets> two;
    const auto address = *io::Address::parse("127.0.0.1:80");
    fixture.loop.tasks().start(Fixture::keep(fixture.control.listen(address, 1), one));
    fixture.loop.tasks().start(Fixture::keep(fixture.control.listen(address, 2), two));
    const auto first = std::get<Listen>(fixture.hear());
    CHECK(first.copies == 1);
    const auto second = std::get<Listen>(fixture.hear());
    CHECK(second.copies == 2);
    fixture.tell(Listening{second.id, 0}, {0, 1});
    fixture.tell(Listening{first.id, EADDRINUSE});
    REQUIRE(fixture.turnUntil([&] { return one && two; }));
    CHECK((*two)->size() == 2);
    CHECK(one->error().systemError() == EADDRINUSE);
}

TEST_CASE("an answer for which nobody waits any more is dropped with its sockets") {
    Fixture fixture;
    std::optional<Sockets> sockets;
    const auto address = *io::Address::parse("127.0.0.1:80");
    fixture.loop.tasks().start(Fixture::keep(fixture.control.listen(address, 1), sockets));
    const auto asked = std::get<Listen>(fixture.hear());
    fixture.loop.tasks().dropAll();
    const auto before = openDescriptors("self");
    fixture.tell(Listening{asked.id, 0}, {0, 1});
    fixture.tell(Reload{}); // seen after it
    std::optional<Wish> wish;
    fixture.loop.tasks().start(Fixture::keep(fixture.control.next(), wish));
    REQUIRE(fixture.turnUntil([&] { return wish.has_value(); }));
    CHECK(openDescriptors("self") == before);
}

TEST_CASE("a keeper that cannot be understood is a lost one") {
    Fixture fixture;
    REQUIRE(io::sendPacket(fixture.keeper.get(), std::string_view("?"), {}));
    std::optional<Wish> wish;
    fixture.loop.tasks().start(Fixture::keep(fixture.control.next(), wish));
    REQUIRE(fixture.turnUntil([&] { return wish.has_value(); }));
    CHECK(std::holds_alternative<ServerControl::Lost>(*wish));
}
