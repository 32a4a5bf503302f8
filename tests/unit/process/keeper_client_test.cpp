#include "client_fixture.h"
#include "process/keeper_client.h"

#include <catch2/catch.hpp>
#include <cerrno>
#include <set>

using namespace reef;
using namespace reef::process;
using namespace reef::test;
using Fixture = ClientFixture;

namespace {

Task<int> countSuccesses(std::vector<std::unique_ptr<StartAwaiter>>& requests) {
    int count = 0;
    for (auto& request : requests) {
        auto child = co_await *request;
        if (!child) continue;
        const auto exit = co_await child->exited();
        if (exit && exit->succeeded()) ++count;
    }
    co_return count;
}

} // namespace

TEST_CASE("exit codes and signals come back through the keeper") {
    Fixture fixture;
    for (const int code : {0, 1, 42, 255}) {
        const auto exit =
            fixture.run(runToEnd(fixture.client, shell("exit " + std::to_string(code))));
        REQUIRE(exit);
        CHECK(exit->code() == code);
        CHECK(exit->signal() == 0);
    }
    const auto killed = fixture.run(runToEnd(fixture.client, shell("kill -11 $$")));
    REQUIRE(killed);
    CHECK(killed->signal() == SIGSEGV);
    CHECK(fixture.client.running() == 0);
}

TEST_CASE("used time and memory come back with the exit") {
    Fixture fixture;
    const auto busy = fixture.run(runToEnd(
        fixture.client, shell("perl -e '$x = q(a) x 40000000; 1 while (times)[0] < 0.2'")));
    REQUIRE(busy);
    CHECK(busy->userTime + busy->systemTime >= 200ms);
    CHECK(busy->userTime + busy->systemTime < 15s);
    CHECK(busy->peakMemory >= 38_MiB);
    CHECK(busy->peakMemory < 4096_MiB);
}

TEST_CASE("a start that fails says at which step and why, and leaves nothing running") {
    Fixture fixture;
    const Scratch scratch;
    const auto orphan = scratch.file("orphan", "#!/no/such/interpreter\n", 0755);
    const auto plain = scratch.file("plain", "#!/bin/sh\n", 0644);
    struct Case {
        const char* path;
        StartFailure failure;
    };
    const Case cases[] = {
        {"/no/such/program", {StartStep::program, ENOENT}},
        {orphan.c_str(), {StartStep::interpreter, ENOENT}},
        {plain.c_str(), {StartStep::program, EACCES}},
    };
    for (const auto& [path, failure] : cases) {
        SpawnRequest request(path);
        request.arguments.add("x");
        CHECK(fixture.run(failureOf(fixture.client, std::move(request))) == failure);
    }
    CHECK(fixture.client.running() == 0);
    auto elsewhere = shell("exit 0");
    elsewhere.directory = "/no/such/directory";
    CHECK(fixture.run(failureOf(fixture.client, std::move(elsewhere))) ==
          StartFailure{StartStep::directory, ENOENT});
    auto stranger = shell("exit 0");
    stranger.identity = 1;
    CHECK(fixture.run(failureOf(fixture.client, std::move(stranger))) ==
          StartFailure{StartStep::request, EINVAL});
}

TEST_CASE("a request that cannot be sent fails without reaching the keeper") {
    Fixture fixture;
    using namespace std::string_literals;
    const auto failure = [&](SpawnRequest request) {
        return fixture.run(failureOf(fixture.client, std::move(request)));
    };
    CHECK(failure(SpawnRequest("/bin/true")) ==
          StartFailure{StartStep::request, EINVAL}); // no argv
    SpawnRequest split("/bin/true\0x"s);
    split.arguments.add("true");
    CHECK(failure(std::move(split)) == StartFailure{StartStep::request, EINVAL});
    auto closed = shell("exit 0");
    closed.output = ChildDescriptor::lend(987654);
    CHECK(failure(std::move(closed)) == StartFailure{StartStep::request, EBADF});
    auto absent = shell("exit 0");
    absent.extra.emplace_back();
    CHECK(failure(std::move(absent)) == StartFailure{StartStep::request, EBADF});
    auto many = shell("exit 0");
    for (int i = 0; i < 9; ++i)
        many.extra.push_back(ChildDescriptor::lend(0));
    CHECK(failure(std::move(many)) == StartFailure{StartStep::request, EMFILE});
    auto huge = shell("exit 0");
    huge.environment.add("HUGE", std::string(kMaxSpawnBytes, 'x'));
    CHECK(failure(std::move(huge)) == StartFailure{StartStep::request, E2BIG});
    CHECK(fixture.client.running() == 0);
    CHECK(fixture.run(runToEnd(fixture.client, shell("exit 3")))->code() == 3);
}

TEST_CASE("input, output and error are wired, and an absent one is /dev/null") {
    Fixture fixture;
    Pipe in;
    Pipe out;
    Pipe err;
    auto request = shell("cat; echo oops >&2; readlink /proc/self/fd/0");
    request.input = std::move(in.read);
    request.output = ChildDescriptor::lend(out.write.get());
    request.error = std::move(err.write);
    REQUIRE(::write(in.write.get(), "hello\n", 6) == 6);
    in.write.reset();
    auto child = fixture.run(start(fixture.client, std::move(request)));
    out.write.reset();
    REQUIRE(child);
    CHECK(readAll(out.read.get()).starts_with("hello\npipe:["));
    CHECK(readAll(err.read.get()) == "oops\n");
    CHECK(fixture.run(endOf(*child))->code() == 0);

    Pipe again;
    auto quiet = shell("echo; readlink /proc/self/fd/0 /proc/self/fd/2");
    quiet.output = std::move(again.write);
    auto second = fixture.run(start(fixture.client, std::move(quiet)));
    REQUIRE(second);
    CHECK(readAll(again.read.get()) == "\n/dev/null\n/dev/null\n");
}

TEST_CASE("extra descriptors become 3 and 4") {
    Fixture fixture;
    Pipe first;
    Pipe second;
    auto request = shell("echo three >&3; echo four >&4");
    request.extra.emplace_back(std::move(first.write));
    request.extra.emplace_back(std::move(second.write));
    auto child = fixture.run(start(fixture.client, std::move(request)));
    REQUIRE(child);
    CHECK(readAll(first.read.get()) == "three\n");
    CHECK(readAll(second.read.get()) == "four\n");
}

TEST_CASE("limits and the working directory reach the child") {
    Fixture fixture;
    const Scratch scratch;
    Pipe out;
    auto request = shell("pwd; ulimit -n; nice");
    request.directory = scratch.path().string();
    request.limits.openFiles = 17;
    request.limits.nice = 5;
    request.output = std::move(out.write);
    auto child = fixture.run(start(fixture.client, std::move(request)));
    REQUIRE(child);
    CHECK(readAll(out.read.get()) == scratch.path().string() + "\n17\n5\n");
}

TEST_CASE("a child runs as the identity that the request names by its index") {
    if (!maySwitchIdentity()) return;
    Fixture fixture({"nursery", "user=65534"});
    Pipe out;
    auto request = shell("id -u; id -g; id -G");
    request.output = std::move(out.write);
    auto child = fixture.run(start(fixture.client, std::move(request)));
    REQUIRE(child);
    CHECK(readAll(out.read.get()) == "65534\n65534\n65534\n");
    child->terminate(0s); // which the keeper may do although it is another's process
    auto stranger = shell("exit 0");
    stranger.identity = 1;
    CHECK(fixture.run(failureOf(fixture.client, std::move(stranger))) ==
          StartFailure{StartStep::request, EINVAL});
}

TEST_CASE("an environment of 200 KB arrives whole, and so does one that fills a packet exactly") {
    Fixture fixture;
    for (const std::size_t size : {1'000UL, 65'000UL, 65'536UL, 200'000UL, 1'000'000UL}) {
        auto request = shell("env | wc -c | tr -d ' '");
        Pipe out;
        request.output = std::move(out.write);
        request.environment.clear();
        request.environment.add("PATH", "/bin:/usr/bin");
        std::size_t sum = 20 + std::string_view("PWD=\n").size();
        while (sum < size) { // the kernel takes 128 KiB for one string
            const std::string value(std::min<std::size_t>(size - sum, 50'000), 'x');
            const auto name = "V" + std::to_string(sum);
            request.environment.add(name, value);
            sum += name.size() + 1 + value.size() + 1;
        }
        request.directory = "/";
        auto child = fixture.run(start(fixture.client, std::move(request)));
        REQUIRE(child);
        const auto counted = std::stoul(readAll(out.read.get()));
        CHECK(counted > size - 100);
        CHECK(counted < size + 100);
    }
}

TEST_CASE("an argument list too long for the kernel is E2BIG, and the keeper goes on") {
    Fixture fixture;
    auto request = shell("exit 0");
    request.environment.add("LONG", std::string(200'000, 'x')); // one string: at most 128 KiB
    CHECK(fixture.run(failureOf(fixture.client, std::move(request))) ==
          StartFailure{StartStep::program, E2BIG});
    CHECK(fixture.run(runToEnd(fixture.client, shell("exit 4")))->code() == 4);
}

TEST_CASE("the keeper holds no more children than it may") {
    Fixture fixture({"nursery", "max=2"});
    auto one = fixture.run(start(fixture.client, shell("exec sleep 100")));
    auto two = fixture.run(start(fixture.client, shell("exec sleep 100")));
    REQUIRE((one && two));
    CHECK(fixture.run(failureOf(fixture.client, shell("exit 0"))) ==
          StartFailure{StartStep::capacity, EAGAIN});
    one->terminate(0s);
    CHECK(fixture.run(endOf(*one))->signal() == SIGKILL);
    CHECK(fixture.run(runToEnd(fixture.client, shell("exit 6")))->code() == 6);
}

TEST_CASE("2,000 processes leave no zombie and no descriptor behind") {
    Fixture fixture;
    fixture.run(runToEnd(fixture.client, shell("exit 0")));
    const auto ours = openDescriptors("self");
    const auto keepers = openDescriptors(std::to_string(fixture.keeper.pid()));
    int sum = 0;
    for (int round = 0; round < 100; ++round) {
        std::vector<std::unique_ptr<Pipe>> pipes;
        std::vector<StartResult<Child>> children;
        for (int i = 0; i < 20; ++i) {
            SpawnRequest request("/bin/true");
            request.arguments.add("true");
            pipes.push_back(std::make_unique<Pipe>());
            request.output = std::move(pipes.back()->write);
            request.error = ChildDescriptor::lend(2);
            children.push_back(fixture.run(start(fixture.client, std::move(request))));
        }
        for (auto& child : children) {
            REQUIRE(child);
            sum += fixture.run(endOf(*child))->succeeded() ? 1 : 0;
        }
    }
    CHECK(sum == 2000);
    CHECK(openDescriptors("self") == ours);
    CHECK(openDescriptors(std::to_string(fixture.keeper.pid())) == keepers);
    CHECK(childrenOf(fixture.keeper.pid()).empty());
}

TEST_CASE("requests that the socket does not take are kept, with descriptors of their own") {
    Fixture fixture;
    fixture.run(runToEnd(fixture.client, shell("exit 0")));
    ::kill(fixture.keeper.pid(), SIGSTOP);
    Pipe out;
    std::vector<std::unique_ptr<StartAwaiter>> requests;
    std::set<std::string> expected;
    for (int i = 0; i < 40; ++i) {
        auto request = shell("echo $N");
        request.environment.add("BULK", std::string(30'000, 'x'));
        request.environment.add("N", std::to_string(i));
        request.output = ChildDescriptor::lend(out.write.get());
        requests.emplace_back(new StartAwaiter(fixture.client.spawn(std::move(request))));
        expected.insert(std::to_string(i));
    }
    out.write.reset();
    ::kill(fixture.keeper.pid(), SIGCONT);
    CHECK(fixture.run(countSuccesses(requests)) == 40);
    std::istringstream lines(readAll(out.read.get()));
    CHECK(std::set<std::string>(std::istream_iterator<std::string>(lines), {}) == expected);
    CHECK(fixture.client.running() == 0);
}
