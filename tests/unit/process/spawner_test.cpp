#include "helper.h"
#include "io/packet.h"
#include "process/spawner.h"

#include <sys/mman.h>

#include <catch2/catch.hpp>

using namespace reef;
using namespace reef::process;
using namespace reef::test;

namespace {

/// The bare end of a link: what a server that was taken over can say.
class RawLink {
public:
    RawLink() : RawLink(*io::packetPair()) {}

    void send(ByteView bytes, std::initializer_list<int> descriptors = {}) {
        REQUIRE(
            io::sendPacket(end_.get(), bytes, std::span(descriptors.begin(), descriptors.size())));
    }
    void send(const LinkRequest& request, std::initializer_list<int> descriptors = {}) {
        std::string packet;
        append(packet, request);
        send(ByteView(packet), descriptors);
    }

    /// The next packet's first message, or why there is none.
    Result<LinkReply> receive() {
        pollfd entry{end_.get(), POLLIN, 0};
        const auto patience = std::chrono::milliseconds(kPatience).count();
        if (::poll(&entry, 1, static_cast<int>(patience)) != 1) return fail(Error::timedOut);
        const auto packet = io::receivePacket(end_.get(), room_);
        if (!packet) return fail(packet.error());
        PacketReader reader(ByteView(room_).first(packet->size));
        return reader.next<LinkReply>();
    }

    /// The keeper has closed the link, and what it ran for it is gone.
    bool isRefused() {
        const auto reply = receive();
        return !reply && reply.error() == Error::peerClosed && keeper_.exitCode() == 0;
    }

    void killKeeper() const { ::kill(keeper_.pid(), SIGKILL); }

private:
    explicit RawLink(std::pair<Fd, Fd> ends)
        : keeper_(startHelper({"nursery"}, 1, ends.second.get())), end_(std::move(ends.first)) {}

    OwnChild keeper_;
    Fd end_;
    std::array<char, 4096> room_{};
};

const StringList kSleep{"sleep", "100"};

Spawn sleeper(std::uint32_t id) {
    Spawn spawn;
    spawn.id = id;
    spawn.path = "/bin/sleep";
    spawn.arguments = kSleep.view();
    return spawn;
}

Fd memoryFile(std::string_view bytes) {
    Fd file(::memfd_create("test", MFD_CLOEXEC));
    REQUIRE(::write(file.get(), bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
    return file;
}

std::string packetOf(const Spawn& spawn) {
    std::string packet;
    append(packet, LinkRequest(spawn));
    return packet;
}

} // namespace

TEST_CASE("a packet that is none of the protocol closes the link") {
    RawLink link;
    link.send(ByteView(std::string_view("GET / HTTP/1.1\r\n\r\n")));
    CHECK(link.isRefused());
}

TEST_CASE("descriptors that do not match the request close the link") {
    RawLink tooFew;
    auto spawn = sleeper(1);
    spawn.standard = 3;
    tooFew.send(spawn, {1});
    CHECK(tooFew.isRefused());
    RawLink tooMany;
    tooMany.send(sleeper(1), {1, 2});
    CHECK(tooMany.isRefused());
}

TEST_CASE("an id that is in use closes the link, and its child is killed") {
    RawLink link;
    link.send(sleeper(1));
    const auto started = link.receive();
    REQUIRE(started);
    const pid_t pid = std::get<Started>(*started).pid;
    CHECK(alive(pid));
    link.send(sleeper(1));
    CHECK(link.isRefused());
    CHECK_FALSE(alive(pid));
}

TEST_CASE("a request in a file is read from memory files alone, whole, and with its own id") {
    const auto packet = packetOf(sleeper(5));
    const auto size = static_cast<std::uint32_t>(packet.size());
    const Fd whole = memoryFile(packet);
    {
        RawLink link;
        link.send(SpawnInFile{5, size}, {whole.get()});
        const auto started = link.receive();
        REQUIRE(started);
        CHECK(std::get<Started>(*started).id == 5);
    }
    const auto refused = [](const SpawnInFile& request, int file) {
        RawLink link;
        link.send(request, {file});
        return link.isRefused();
    };
    CHECK(refused({6, size}, whole.get()));       // another id than inside
    CHECK(refused({5, size + 1}, whole.get()));   // the file is shorter
    CHECK(refused({5, size - 1}, whole.get()));   // the request is cut short
    CHECK(refused({5, 0xFFFFFFFF}, whole.get())); // more than any request has
    const Pipe pipe; // could keep the keeper waiting, as a file on a slow disk could
    CHECK(refused({5, size}, pipe.read.get()));
    const Scratch scratch;
    const Fd onDisk(::open(scratch.file("request", packet, 0600).c_str(), O_RDONLY | O_CLOEXEC));
    if (::fcntl(onDisk.get(), F_GET_SEALS) < 0) CHECK(refused({5, size}, onDisk.get()));
    std::string inner;
    append(inner, LinkRequest(SpawnInFile{5, size}));
    const Fd nested = memoryFile(inner);
    CHECK(refused({5, static_cast<std::uint32_t>(inner.size())}, nested.get()));
    RawLink without;
    without.send(SpawnInFile{5, size});
    CHECK(without.isRefused());
}

TEST_CASE("ending an unknown child is no breach: it may have crossed its exit") {
    RawLink link;
    link.send(Terminate{77, 0, {}});
    link.send(sleeper(1));
    const auto started = link.receive();
    REQUIRE(started);
    CHECK(std::get<Started>(*started).id == 1);
    link.send(Terminate{1, 0, {}});
    const auto exited = link.receive();
    REQUIRE(exited);
    CHECK(std::get<Exited>(*exited).exit.signal() == SIGKILL);
}

TEST_CASE("children die with the keeper, with nobody there to kill them") {
    RawLink link;
    link.send(sleeper(1));
    const auto started = link.receive();
    REQUIRE(started);
    const pid_t pid = std::get<Started>(*started).pid;
    CHECK(alive(pid));
    link.killKeeper();
    CHECK(eventually([&] { return !alive(pid); }));
}

TEST_CASE("an identity that the keeper has not got fails the start alone") {
    RawLink link;
    auto spawn = sleeper(1);
    spawn.identity = 1;
    link.send(spawn);
    const auto failed = link.receive();
    REQUIRE(failed);
    CHECK(std::get<StartFailed>(*failed).failure == StartFailure{StartStep::request, EINVAL});
}
