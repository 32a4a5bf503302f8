#pragma once

#include "helper.h"
#include "io/packet.h"
#include "io/sleep.h"
#include "process/keeper_client.h"

#include <catch2/catch.hpp>
#include <optional>
#include <string_view>

namespace reef::test {

using namespace reef::process;

/// A client on a loop that is turned by hand, and its keeper in a process of its own.
class ClientFixture {
public:
    explicit ClientFixture(std::vector<std::string> words = {"nursery"})
        : ClientFixture(*io::packetPair(), std::move(words)) {}

    /// Runs the task to its end.
    template<class T>
    T run(Task<T> task) {
        std::optional<T> value;
        const auto giveUp = std::chrono::steady_clock::now() + kPatience;
        loop.tasks().start(keep(std::move(task), value));
        loop.tasks().start(tick());
        while (!value && std::chrono::steady_clock::now() < giveUp)
            loop.turn();
        loop.tasks().dropAll(); // also when the task has not ended: it may hold a child
        REQUIRE(value);
        return std::move(*value);
    }

    /// Waits until nothing runs any more.
    bool settles() { return run(settled()); }

    io::Loop loop;
    OwnChild keeper;
    KeeperClient client;

private:
    ClientFixture(std::pair<Fd, Fd> ends, std::vector<std::string> words)
        : keeper(startHelper(std::move(words), 1, ends.second.get())),
          client(loop, std::move(ends.first)) {}

    template<class T>
    static Task<void> keep(Task<T> task, std::optional<T>& value) {
        value.emplace(co_await std::move(task));
    }
    Task<void> tick() { // so that a turn never waits for ever
        for (;;)
            co_await io::Sleep(loop, 50ms);
    }
    Task<bool> settled() {
        while (client.running() != 0)
            co_await io::Sleep(loop, 1ms);
        co_return true;
    }
};

inline SpawnRequest shell(std::string_view script) {
    SpawnRequest request("/bin/sh");
    request.arguments.add("sh");
    request.arguments.add("-c");
    request.arguments.add(script);
    request.environment.add("PATH", "/bin:/usr/bin");
    return request;
}

inline Task<Result<Exit>> runToEnd(KeeperClient& client, SpawnRequest request) {
    auto child = co_await client.spawn(std::move(request));
    if (!child) co_return fail(child.error().error());
    co_return co_await child->exited();
}

inline Task<StartFailure> failureOf(KeeperClient& client, SpawnRequest request) {
    auto child = co_await client.spawn(std::move(request));
    if (!child) co_return child.error();
    co_return StartFailure{StartStep::clone, 0};
}

inline Task<StartResult<Child>> start(KeeperClient& client, SpawnRequest request) {
    co_return co_await client.spawn(std::move(request));
}

inline Task<Result<Exit>> endOf(Child& child) {
    co_return co_await child.exited();
}

} // namespace reef::test
