#include "client_fixture.h"
#include "process/keeper_client.h"

#include <catch2/catch.hpp>

using namespace reef;
using namespace reef::process;
using namespace reef::test;
using Fixture = ClientFixture;

TEST_CASE("terminate reaches grandchildren") {
    Fixture fixture;
    Pipe out;
    auto request = shell("sleep 100 & echo $!; wait");
    request.output = std::move(out.write);
    auto child = fixture.run(start(fixture.client, std::move(request)));
    REQUIRE(child);
    std::string line(16, '\0');
    REQUIRE(::read(out.read.get(), line.data(), line.size()) > 1);
    const auto grandchild = static_cast<pid_t>(std::stol(line));
    CHECK(alive(grandchild));
    child->terminate(10s);
    CHECK(fixture.run(endOf(*child))->signal() == SIGTERM);
    CHECK(eventually([&] { return !alive(grandchild); }));
    CHECK_FALSE(child->running());
}

TEST_CASE("who ignores TERM is killed after the grace") {
    Fixture fixture;
    Pipe out;
    auto request = shell("trap '' TERM; echo; while :; do sleep 0.01; done");
    request.output = std::move(out.write);
    auto child = fixture.run(start(fixture.client, std::move(request)));
    REQUIRE(child);
    char byte = 0;
    REQUIRE(::read(out.read.get(), &byte, 1) == 1);
    const auto before = std::chrono::steady_clock::now();
    child->terminate(200ms);
    CHECK(fixture.run(endOf(*child))->signal() == SIGKILL);
    const auto took = std::chrono::steady_clock::now() - before;
    CHECK(took >= 200ms);
    CHECK(took < 10s);
    child->terminate(1s); // after its end: nothing
}

TEST_CASE("a dropped child is ended") {
    Fixture fixture;
    pid_t pid = 0;
    {
        auto child = fixture.run(start(fixture.client, shell("exec sleep 100")));
        REQUIRE(child);
        pid = child->pid();
        CHECK(alive(pid));
    }
    CHECK(fixture.settles());
    CHECK_FALSE(alive(pid));
}

TEST_CASE("a spawn that nobody waits for any more is ended") {
    Fixture fixture;
    Pipe out;
    {
        auto request = shell("exec sleep 100");
        request.output = std::move(out.write);
        const auto dropped = fixture.client.spawn(std::move(request));
        CHECK(fixture.client.running() == 1);
    }
    CHECK(fixture.settles());
    CHECK(readAll(out.read.get()).empty()); // its end of the pipe is closed
}

TEST_CASE("a dropped child that ignores TERM is killed after its request's grace") {
    Fixture fixture;
    Pipe out;
    auto request = shell("trap '' TERM; echo; while :; do sleep 0.01; done");
    request.output = std::move(out.write);
    request.grace = 100ms;
    pid_t pid = 0;
    {
        auto child = fixture.run(start(fixture.client, std::move(request)));
        REQUIRE(child);
        pid = child->pid();
        char byte = 0;
        REQUIRE(::read(out.read.get(), &byte, 1) == 1);
    }
    CHECK(fixture.settles());
    CHECK_FALSE(alive(pid));
}

TEST_CASE("a child can be moved, and assigning over one ends the former") {
    Fixture fixture;
    auto first = fixture.run(start(fixture.client, shell("exec sleep 100")));
    auto second = fixture.run(start(fixture.client, shell("exec sleep 100")));
    REQUIRE((first && second));
    const pid_t ended = first->pid();
    const pid_t kept = second->pid();
    Child child = std::move(*first);
    CHECK_FALSE(*first); // NOLINT(bugprone-use-after-move)
    child = std::move(*second);
    CHECK(child.pid() == kept);
    CHECK(eventually([&] {
        fixture.loop.post([] {});
        fixture.loop.turn();
        return !alive(ended);
    }));
    CHECK(alive(kept));
}

TEST_CASE("when the keeper is gone everything pending fails, and nothing is left running") {
    Fixture fixture;
    auto child = fixture.run(start(fixture.client, shell("sleep 100 & wait")));
    REQUIRE(child);
    const pid_t pid = child->pid();
    ::kill(fixture.keeper.pid(), SIGKILL);
    CHECK(fixture.run(endOf(*child)).error() == Error::unavailable);
    CHECK(fixture.client.lost().isSet());
    CHECK(fixture.client.running() == 0);
    const auto failure = fixture.run(failureOf(fixture.client, shell("exit 0")));
    CHECK(failure.step == StartStep::keeper);
    CHECK(failure.error() == Error::unavailable);
    CHECK(eventually([&] { return ::kill(-pid, 0) != 0 || !alive(pid); }));
}

TEST_CASE("a client that goes takes its children with it") {
    pid_t pid = 0;
    {
        Fixture fixture;
        auto child =
            fixture.run(start(fixture.client, shell("trap '' TERM; sleep 100; sleep 100")));
        REQUIRE(child);
        pid = child->pid();
    }
    CHECK(eventually([&] { return !alive(pid); }));
}
