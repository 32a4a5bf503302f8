#include "client_fixture.h"
#include "process/zygote.h"

#include <catch2/catch.hpp>

using namespace reef;
using namespace reef::process;
using namespace reef::test;
using namespace std::string_literals;
using State = Zygote::State;

namespace {

/// A zygote in Python that speaks by hand, so that it can say what it should not. `took()` returns
/// the id of the next run, and the pipe that is its output.
constexpr std::string_view kSpeaker = R"(
import os, socket, struct, sys, time
s = socket.socket(fileno=3)
s.setblocking(True)
def took():
    packet, fds, _, _ = socket.recv_fds(s, 65536, 8)
    if not packet: sys.exit(0)
    return struct.unpack_from("=L", packet, 1)[0], fds
def started(id, pid=4711): s.send(struct.pack("=BLl", 1, id, pid))
def refused(id, code): s.send(struct.pack("=BLl", 2, id, code))
def exited(id, status): s.send(struct.pack("=BLlqqQ", 3, id, status, 0, 0, 0))
)";

SpawnRequest python() {
    SpawnRequest request("/usr/bin/python3");
    for (const char* word : {"python3", "-c", "exec(open(4).read())"})
        request.arguments.add(word);
    request.environment.add("PATH", "/bin:/usr/bin");
    request.error = ChildDescriptor::lend(2);
    return request;
}

SpawnRequest oneRun(Fd output = {}) {
    SpawnRequest request("/script");
    request.arguments.add("/script");
    request.environment.add("A", "1");
    if (output) request.output = std::move(output);
    request.grace = 100ms;
    return request;
}

class ZygoteFixture : public ClientFixture {
public:
    explicit ZygoteFixture(const std::string& program)
        : zygote(loop, client, python(), std::string(kSpeaker) + program) {}

    bool becomes(State state) {
        return run(waitFor([this, state] { return zygote.state() == state; }));
    }
    bool ends() {
        return run(waitFor([this] { return zygote.hasEnded(); }));
    }

    StartResult<Child> start(const SpawnRequest& request) { return run(startIt(request)); }

    Zygote zygote;

private:
    template<class Condition>
    Task<bool> waitFor(Condition condition) {
        for (int i = 0; i != 10'000; ++i) {
            if (condition()) co_return true;
            if (zygote.hasEnded()) co_return false;
            zygote.lookAfter();
            co_await io::Sleep(loop, 1ms);
        }
        co_return false;
    }
    Task<StartResult<Child>> startIt(const SpawnRequest& request) {
        co_return co_await zygote.run(request);
    }
};

} // namespace

TEST_CASE("a zygote runs what it is asked for, and says how it ended") {
    ZygoteFixture fixture("s.send(b'\\0')\n"
                          "id, fds = took(); os.write(fds[0], b'hello'); os.close(fds[0])\n"
                          "started(id); exited(id, 3 << 8); took()\n");
    REQUIRE(fixture.becomes(State::serving));
    Pipe out;
    const auto request = oneRun(std::move(out.write));
    {
        auto child = fixture.start(request);
        REQUIRE(child);
        CHECK(child->pid() == 4711);
        CHECK(fixture.run(endOf(*child))->code() == 3);
        CHECK_FALSE(fixture.zygote.isOver());
    }
    char bytes[8];
    CHECK(::read(out.read.get(), bytes, sizeof bytes) == 5);
    fixture.zygote.retire();
    CHECK(fixture.ends());
    CHECK(fixture.zygote.loss().empty());
    CHECK(fixture.zygote.isOver());
}

TEST_CASE("a zygote that is not ready takes nothing") {
    ZygoteFixture fixture("time.sleep(100)\n");
    const auto child = fixture.start(oneRun());
    REQUIRE_FALSE(child);
    CHECK(child.error().step == StartStep::zygoteRefused);
    CHECK(fixture.zygote.state() == State::starting);
}

TEST_CASE("a zygote that refuses has begun nothing, and one that is stale is told apart") {
    ZygoteFixture fixture("s.send(b'\\0')\nid, _ = took(); refused(id, 11)\n"
                          "id, _ = took(); refused(id, 116)\ntook()\n");
    REQUIRE(fixture.becomes(State::serving));
    CHECK(fixture.start(oneRun()).error() == StartFailure{StartStep::zygoteRefused, EAGAIN});
    CHECK(fixture.zygote.state() == State::serving);
    CHECK(fixture.start(oneRun()).error() == StartFailure{StartStep::zygoteRefused, ESTALE});
    CHECK(fixture.zygote.state() == State::stale);
    fixture.zygote.retire();
    CHECK(fixture.ends());
}

TEST_CASE("an environment that fits no packet is refused here") {
    ZygoteFixture fixture("s.send(b'\\0')\ntook()\n");
    REQUIRE(fixture.becomes(State::serving));
    auto request = oneRun();
    request.environment.add("LONG", std::string(kMaxZygoteRequestBytes, 'x'));
    CHECK(fixture.start(request).error() == StartFailure{StartStep::zygoteRefused, E2BIG});
    CHECK(fixture.zygote.state() == State::serving);
}

TEST_CASE("a zygote that ends takes what it had begun with it") {
    ZygoteFixture fixture("s.send(b'\\0')\nid, _ = took(); started(id)\ntook(); os._exit(7)\n");
    REQUIRE(fixture.becomes(State::serving));
    auto first = fixture.start(oneRun());
    REQUIRE(first);
    const auto second = fixture.start(oneRun());
    REQUIRE_FALSE(second);
    CHECK(second.error().step == StartStep::zygoteLost);
    CHECK(second.error().error() == Error::unavailable);
    CHECK(fixture.run(endOf(*first))->signal() == SIGKILL);
    CHECK(fixture.ends());
    CHECK(fixture.zygote.loss() == "exit code 7");
    CHECK_FALSE(fixture.zygote.isOver()); // `first` is still held
}

TEST_CASE("a zygote that says what it may not say is ended") {
    const char* const cases[] = {
        "s.send(b'\\0'); time.sleep(100)",                           // ready twice
        "started(77); time.sleep(100)",                              // a run that nobody asked for
        "exited(0, 0); time.sleep(100)",                             //
        "id, _ = took(); exited(id, 0); time.sleep(100)",            // ended before it began
        "id, _ = took(); started(id, -1); time.sleep(100)",          //
        "id, _ = took(); started(id); started(id); time.sleep(100)", //
        "s.send(b'x' * 40000); time.sleep(100)",                     // larger than any answer
        "s.send(b'\\0' * 30000); time.sleep(100)",                   //
        "[s.send(struct.pack('=BLl', 1, n, 5)) for n in range(10**6)]",
        "socket.send_fds(s, [struct.pack('=BLl', 1, 0, 5)], [0]); time.sleep(100)",
        "s.shutdown(socket.SHUT_WR); time.sleep(100)",
    };
    for (const std::string program : cases) {
        INFO(program);
        ZygoteFixture fixture("s.send(b'\\0')\n" + program + "\n");
        fixture.becomes(State::serving);
        {
            const auto child = fixture.start(oneRun());
            if (!child)
                CHECK((child.error().step == StartStep::zygoteLost ||
                       child.error().step == StartStep::zygoteRefused));
            CHECK(fixture.ends());
            if (child) CHECK_FALSE(child->running());
        }
        CHECK(fixture.zygote.isOver());
        CHECK_FALSE(fixture.zygote.loss().empty());
        CHECK(fixture.settles());
    }
}

TEST_CASE("a zygote that does not answer is ended") {
    ZygoteFixture fixture("s.send(b'\\0')\ntook(); time.sleep(100)\n");
    REQUIRE(fixture.becomes(State::serving));
    fixture.loop.tasks().start([](Zygote& zygote, io::Loop& loop) -> Task<void> {
        for (;;) {
            co_await io::Sleep(loop, 100ms);
            zygote.lookAfter();
        }
    }(fixture.zygote, fixture.loop));
    const auto before = std::chrono::steady_clock::now();
    const auto child = fixture.start(oneRun());
    REQUIRE_FALSE(child);
    CHECK(child.error().step == StartStep::zygoteLost);
    CHECK(std::chrono::steady_clock::now() - before >= Zygote::kAnswerTime - 100ms);
    CHECK(fixture.ends());
    CHECK(fixture.zygote.loss() == "it does not answer");
}

TEST_CASE("a zygote that cannot be started says why") {
    ClientFixture fixture;
    SpawnRequest request("/no/such/interpreter");
    request.arguments.add("x");
    Zygote zygote(fixture.loop, fixture.client, std::move(request), "");
    CHECK(fixture.settles());
    CHECK(zygote.hasEnded());
    CHECK(zygote.loss() == "the program: No such file or directory");
}

TEST_CASE("a child that is dropped is ended by its zygote") {
    ZygoteFixture fixture("s.send(b'\\0')\nid, _ = took(); started(id)\n"
                          "packet = s.recv(100)\n"
                          "assert packet == struct.pack('=BLL', 1, id, 100)\n"
                          "exited(id, 15)\ntook()\n");
    REQUIRE(fixture.becomes(State::serving));
    {
        const auto child = fixture.start(oneRun());
    }
    CHECK(fixture.zygote.running() == 1);
    fixture.zygote.retire();
    CHECK(fixture.ends());
    CHECK(fixture.zygote.running() == 0);
    CHECK(fixture.zygote.loss().empty());
}
