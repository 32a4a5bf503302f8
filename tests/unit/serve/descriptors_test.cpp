#include "io/sleep.h"
#include "pageviews/captured_log.h"
#include "serve/listening_loop.h"

#include <sys/eventfd.h>
#include <sys/resource.h>

#include <catch2/catch.hpp>
#include <time.h>

using namespace reef;
using namespace std::chrono_literals;
using pageviews::test::CapturedLog;

namespace {

constexpr std::string_view kGet = "GET /a HTTP/1.1\r\nHost: h\r\n\r\n";

/// The process's limit of open files, while it lives.
class FileLimit {
public:
    explicit FileLimit(rlim_t files) {
        REQUIRE(::getrlimit(RLIMIT_NOFILE, &before_) == 0);
        const rlimit lower{files, before_.rlim_max};
        REQUIRE(::setrlimit(RLIMIT_NOFILE, &lower) == 0);
    }
    FileLimit(const FileLimit&) = delete;
    FileLimit& operator=(const FileLimit&) = delete;
    ~FileLimit() { ::setrlimit(RLIMIT_NOFILE, &before_); }

private:
    rlimit before_{};
};

/// As a file would be opened: fails when no descriptor is left.
Task<http::Handled> openSomething(http::Request& request, http::ResponseSink& sink) {
    const Fd one(::eventfd(0, EFD_CLOEXEC));
    const Fd two(::eventfd(0, EFD_CLOEXEC));
    if (!one || !two) co_return http::failWith(503, "no descriptors");
    const http::ResponseHead head(*request.arena);
    if (!co_await http::sendPiece(sink, head, bytesOf("served!")))
        co_return http::failClient(Error::peerClosed);
    co_return http::Handled{};
}

std::chrono::nanoseconds processorTime() {
    timespec spent{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
    return std::chrono::seconds(spent.tv_sec) + std::chrono::nanoseconds(spent.tv_nsec);
}

/// The clients live in this process too, so each takes a descriptor at either end.
struct Fixture : test::ListeningLoop {
    Fixture() { answers.answer = openSomething; }

    void runFor(std::chrono::milliseconds time) {
        const auto end = std::chrono::steady_clock::now() + time;
        loop.tasks().start(sleep(time));
        while (std::chrono::steady_clock::now() < end)
            loop.turn();
    }
    Task<void> sleep(std::chrono::milliseconds time) { co_await io::Sleep(loop, time); }
};

} // namespace

TEST_CASE("the reserve is a part of the limit, and the number of a descriptor shows it") {
    CHECK(serve::DescriptorReserve::sizeFor(64) == 16);
    CHECK(serve::DescriptorReserve::sizeFor(1024) == 128);
    CHECK(serve::DescriptorReserve::sizeFor(1'000'000) == 256);
    const FileLimit limit(128);
    const serve::DescriptorReserve reserve;
    CHECK_FALSE(reserve.holds(111));
    CHECK(reserve.holds(112));
    CHECK_FALSE(reserve.isTouched());
    std::vector<Fd> taken;
    while (taken.empty() || taken.back().get() < 111)
        taken.emplace_back(::eventfd(0, EFD_CLOEXEC));
    CHECK(reserve.isTouched());
}

TEST_CASE_METHOD(Fixture,
                 "with descriptors short, open connections are served from the reserve, no "
                 "processor is burnt, and the others come later") {
    const CapturedLog log;
    const FileLimit limit(128);
    listen();
    std::list<test::Peer> served;
    test::Peer& first = served.emplace_back(loop, connect());
    first.send(kGet);
    first.readUntil("served!");

    std::vector<Fd> taken; // by islands, say
    while (taken.empty() || taken.back().get() < 104)
        taken.emplace_back(::eventfd(0, EFD_CLOEXEC));
    std::list<test::Peer> many;
    for (int i = 0; i < 8; ++i)
        many.emplace_back(loop, connect());
    runFor(200ms);
    CHECK(server->connections() < 9); // the rest waits in the kernel's queue
    CHECK(log.count("clients wait") == 1);

    const auto before = processorTime();
    runFor(300ms);
    CHECK(processorTime() - before < 100ms);
    first.send(kGet);
    CHECK(first.readUntil("!").find("served!") != std::string::npos);

    taken.clear();
    for (test::Peer& peer : many) {
        peer.send(kGet);
        peer.readUntil("served!");
    }
    CHECK(server->connections() == 9);
}

TEST_CASE_METHOD(Fixture, "half-open requests that hold every descriptor give way to others") {
    const CapturedLog log;
    const FileLimit limit(128);
    listen();
    std::list<test::Peer> halves;
    for (int i = 0; i < 50; ++i) {
        halves.emplace_back(loop, connect());
        halves.back().send("GET /a HT");
    }
    runFor(100ms);
    test::Peer late(loop, connect());
    late.send(kGet);
    late.readUntil("served!");
}
