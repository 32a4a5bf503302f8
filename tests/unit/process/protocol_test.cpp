#include "process/protocol.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <random>
#include <string>

using namespace reef;
using namespace reef::process;
using namespace std::chrono_literals;
using namespace std::string_view_literals;

namespace {

Limits everyLimit() {
    Limits limits;
    limits.cpuTime = 7s;
    limits.addressSpace = 6144_MiB;
    limits.dataSize = 5;
    limits.fileSize = 4;
    limits.openFiles = 3;
    limits.processes = 2;
    limits.coreSize.reset();
    limits.nice = -20;
    return limits;
}

const StringList& arguments() {
    static const StringList list{"hello", "", "-x"};
    return list;
}
const StringList& environment() {
    static const StringList list{"A=1", "B="};
    return list;
}

Spawn fullSpawn() {
    Spawn spawn;
    spawn.id = 0xFFFFFFFF;
    spawn.standard = 5;
    spawn.extraDescriptors = 8;
    spawn.identity = 65535;
    spawn.leftovers = Leftovers::leave;
    spawn.limits = everyLimit();
    spawn.path = "/cgi-bin/hello";
    spawn.directory = "/cgi-bin";
    spawn.arguments = arguments().view();
    spawn.environment = environment().view();
    return spawn;
}

template<class Message>
std::string packetOf(const Message& message) {
    std::string packet;
    append(packet, message);
    return packet;
}

/// Reads every message of a packet that nobody vouches for, and touches what it shows.
template<class Message>
std::size_t readAll(ByteView packet) {
    std::size_t sum = 0;
    for (PacketReader reader(packet); !reader.atEnd();) {
        const auto message = reader.next<Message>();
        if (!message) {
            CHECK(message.error() == Error::malformed);
            return sum;
        }
        sum += message->index();
        if constexpr (std::is_same_v<Message, LinkRequest>) {
            if (const auto* spawn = std::get_if<Spawn>(&*message)) {
                std::vector<const char*> pointers;
                spawn->arguments.pointers(pointers);
                spawn->environment.pointers(pointers);
                sum += std::char_traits<char>::length(spawn->path.data());
            }
        }
    }
    return sum;
}

std::vector<std::string> everyPacket() {
    std::vector<std::string> packets;
    packets.push_back(packetOf(LinkRequest(fullSpawn())));
    packets.push_back(packetOf(LinkRequest(SpawnInFile{1, 2})));
    packets.push_back(packetOf(LinkRequest(Terminate{1, 2, "A=b"})));
    packets.push_back(packetOf(LinkRequest(Hunt{"A=b"})));
    std::string replies;
    append(replies, LinkReply(Started{1, 2}));
    append(replies, LinkReply(StartFailed{1, {StartStep::interpreter, 2}}));
    append(replies, LinkReply(Exited{1, {256, 3us, 4us, 5}}));
    packets.push_back(replies);
    packets.push_back(packetOf(ControlRequest(Listen{1, 2, "127.0.0.1:80"})));
    packets.push_back(packetOf(ControlNotice(KeeperStatus{1, 2, 3, 4, 5, 6, 7})));
    packets.push_back(packetOf(ControlNotice(Listener{"[::]:80"})));
    return packets;
}

} // namespace

TEST_CASE("a spawn request comes out as it went in") {
    const auto packet = packetOf(LinkRequest(fullSpawn()));
    PacketReader reader(packet);
    const auto message = reader.next<LinkRequest>();
    REQUIRE(message);
    CHECK(reader.atEnd());
    const auto& spawn = std::get<Spawn>(*message);
    CHECK(spawn.id == 0xFFFFFFFF);
    CHECK(spawn.standard == 5);
    CHECK(spawn.extraDescriptors == 8);
    CHECK(spawn.identity == 65535);
    CHECK(spawn.leftovers == Leftovers::leave);
    CHECK(spawn.limits == everyLimit());
    CHECK(spawn.path == "/cgi-bin/hello");
    CHECK(spawn.directory == "/cgi-bin");
    CHECK(spawn.arguments == arguments().view());
    CHECK(spawn.environment == environment().view());
}

TEST_CASE("limits that are not set stay unset") {
    auto sent = fullSpawn();
    sent.limits = {};
    const auto packet = packetOf(LinkRequest(sent));
    PacketReader reader(packet);
    const auto message = reader.next<LinkRequest>();
    REQUIRE(message);
    CHECK(std::get<Spawn>(*message).limits == Limits{});
}

TEST_CASE("strings in a packet end in NUL, so that they can be given to the kernel as they lie") {
    const auto packet = packetOf(LinkRequest(fullSpawn()));
    PacketReader reader(packet);
    const auto message = reader.next<LinkRequest>();
    REQUIRE(message);
    const auto& spawn = std::get<Spawn>(*message);
    CHECK(spawn.path.data() == "/cgi-bin/hello"sv);
    CHECK(spawn.directory.data() == "/cgi-bin"sv);
}

TEST_CASE("several replies share a packet") {
    std::string packet;
    append(packet, LinkReply(Started{7, 4711}));
    append(packet, LinkReply(StartFailed{8, {StartStep::interpreter, 2}}));
    append(packet, LinkReply(Exited{7, {3 << 8, 1500us, 250us, 4_MiB}}));
    PacketReader reader(packet);
    const auto started = reader.next<LinkReply>();
    REQUIRE(started);
    CHECK(std::get<Started>(*started).id == 7);
    CHECK(std::get<Started>(*started).pid == 4711);
    const auto failed = reader.next<LinkReply>();
    REQUIRE(failed);
    CHECK(std::get<StartFailed>(*failed).failure == StartFailure{StartStep::interpreter, 2});
    const auto exited = reader.next<LinkReply>();
    REQUIRE(exited);
    CHECK(std::get<Exited>(*exited).exit == Exit{3 << 8, 1500us, 250us, 4_MiB});
    CHECK(reader.atEnd());
}

TEST_CASE("messages without fields keep their kind") {
    for (const auto& request :
         {ControlRequest(Ready{}), ControlRequest(Drained{}), ControlRequest(Quit{})}) {
        const auto packet = packetOf(request);
        PacketReader reader(packet);
        const auto message = reader.next<ControlRequest>();
        REQUIRE(message);
        CHECK(message->index() == request.index());
    }
}

TEST_CASE("a packet of another version, an empty packet and an unknown kind are malformed") {
    auto packet = packetOf(LinkReply(Started{1, 2}));
    packet[0] = static_cast<char>(kProtocolVersion + 1);
    CHECK(PacketReader(packet).next<LinkReply>().error() == Error::malformed);
    CHECK(PacketReader({}).next<LinkReply>().error() == Error::malformed);
    packet[0] = static_cast<char>(kProtocolVersion);
    packet[1] = 3;
    CHECK(PacketReader(packet).next<LinkReply>().error() == Error::malformed);
    CHECK(PacketReader(ByteView(packet).first(1)).next<LinkReply>().error() == Error::malformed);
}

TEST_CASE("a spawn request with impossible fields is malformed") {
    const auto refused = [](auto change) {
        auto spawn = fullSpawn();
        change(spawn);
        const auto packet = packetOf(LinkRequest(spawn));
        const auto message = PacketReader(packet).next<LinkRequest>();
        return !message && message.error() == Error::malformed;
    };
    CHECK_FALSE(refused([](Spawn&) {}));
    CHECK(refused([](Spawn& spawn) { spawn.standard = 8; }));
    CHECK(refused([](Spawn& spawn) { spawn.extraDescriptors = 9; }));
    CHECK(refused([](Spawn& spawn) { spawn.leftovers = static_cast<Leftovers>(2); }));
    CHECK(refused([](Spawn& spawn) { spawn.path = ""; }));
    CHECK(refused([](Spawn& spawn) { spawn.path = "/bin/a\0b"sv; }));
    CHECK(refused([](Spawn& spawn) { spawn.arguments = {}; }));
    CHECK(refused([](Spawn& spawn) { spawn.arguments.count = 2; }));
    CHECK(refused([](Spawn& spawn) { spawn.arguments.count = 4; }));
    CHECK(refused([](Spawn& spawn) { spawn.environment = {"A=1"sv, 1}; }));
    CHECK(refused([](Spawn& spawn) { spawn.limits.nice = 20; }));
    CHECK(refused([](Spawn& spawn) { spawn.limits.nice = -21; }));
    CHECK(refused([](Spawn& spawn) { spawn.limits.cpuTime = -1s; }));
}

TEST_CASE("a start failure at a step that does not exist is malformed") {
    const auto packet = packetOf(LinkReply(StartFailed{1, {static_cast<StartStep>(200), 2}}));
    CHECK(PacketReader(packet).next<LinkReply>().error() == Error::malformed);
}

TEST_CASE("a packet that is cut short anywhere is malformed") {
    const auto packet = packetOf(LinkRequest(fullSpawn()));
    for (std::size_t size = 0; size < packet.size(); ++size) {
        const std::vector<char> exact(packet.begin(),
                                      packet.begin() + static_cast<std::ptrdiff_t>(size));
        INFO("cut to " << size);
        CHECK(PacketReader(exact).next<LinkRequest>().error() == Error::malformed);
    }
}

TEST_CASE("a length larger than the packet is malformed, however large") {
    for (const std::uint32_t claimed : {13U, 1000U, 0x7FFFFFFFU, 0xFFFFFFFFU}) {
        auto packet = packetOf(ControlNotice(Listener{"127.0.0.1:80"}));
        std::memcpy(packet.data() + 2, &claimed, sizeof claimed);
        CHECK(PacketReader(packet).next<ControlNotice>().error() == Error::malformed);
    }
}

TEST_CASE("packets with bytes changed at random are read or refused, and nothing else happens") {
    std::mt19937 random(20260801);
    const auto below = [&random](std::size_t limit) {
        return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random);
    };
    std::size_t sum = 0;
    for (int round = 0; round < 20'000; ++round) {
        const auto packets = everyPacket();
        const auto& packet = packets[below(packets.size())];
        std::vector<char> bytes(packet.begin(), packet.end());
        for (std::size_t changes = 1 + below(4); changes > 0; --changes)
            bytes[below(bytes.size())] = static_cast<char>(below(256));
        bytes.resize(1 + below(bytes.size()));
        sum += readAll<LinkRequest>(bytes) + readAll<LinkReply>(bytes);
        sum += readAll<ControlRequest>(bytes) + readAll<ControlNotice>(bytes);
    }
    CHECK(sum > 0);
}
