#include "io/sleep.h"
#include "io/sockets.h"
#include "io/stream.h"

#include <fcntl.h>
#include <sys/mman.h>

#include <catch2/catch.hpp>
#include <string>

using namespace reef;
using namespace std::chrono_literals;
using test::runUntil;
using test::SocketPair;

namespace {

Task<void> readAll(io::Stream& stream, std::string& into, bool& ended, io::Timeout pause = 0ms) {
    char room[4096];
    for (;;) {
        const auto got = co_await stream.read(room);
        if (!got || *got == 0) break;
        into.append(room, *got);
        if (pause.count() != 0) co_await io::Sleep(stream.watch().loop(), pause);
    }
    ended = true;
}

Task<void> writeAll(io::Stream& stream, std::string text, std::optional<Status>& outcome,
                    io::Timeout timeout) {
    outcome = co_await stream.write(bytesOf(text), timeout);
}

Task<void> readOnce(io::Stream& stream, std::optional<Result<std::size_t>>& outcome,
                    io::Timeout timeout) {
    char room[16];
    outcome = co_await stream.read(room, timeout);
}

Task<void> awaitHangup(io::Stream& stream, bool& left) {
    co_await stream.peerFinished();
    left = true;
}

Task<void> sendFile(io::Stream& stream, int file, ByteCount offset, ByteCount count,
                    std::optional<Status>& outcome) {
    outcome = co_await stream.sendFile(file, offset, count);
}

std::string patternOf(std::size_t bytes) {
    std::string text(bytes, ' ');
    for (std::size_t i = 0; i < bytes; ++i)
        text[i] = static_cast<char>('a' + i % 23);
    return text;
}

} // namespace

TEST_CASE("more than the socket holds is written whole, at the reader's pace") {
    io::Loop loop;
    SocketPair pair(8192);
    io::SocketStream writer(loop, std::move(pair.one));
    auto reader = std::make_unique<io::SocketStream>(loop, std::move(pair.two));
    const std::string text = patternOf(1'000'000);
    std::string received;
    bool ended = false;
    std::optional<Status> written;
    loop.tasks().start(writeAll(writer, text, written, io::kNever));
    CHECK_FALSE(written);
    loop.tasks().start(readAll(*reader, received, ended));
    runUntil(loop, [&] { return written && received.size() == text.size(); });
    CHECK(written->has_value());
    CHECK(received == text);
    writer.endWriting();
    runUntil(loop, [&] { return ended; });
}

TEST_CASE("a read times out, and the connection stays usable") {
    io::Loop loop;
    SocketPair pair;
    io::SocketStream stream(loop, std::move(pair.one));
    std::optional<Result<std::size_t>> outcome;
    loop.tasks().start(readOnce(stream, outcome, 5ms));
    runUntil(loop, [&] { return outcome.has_value(); });
    CHECK(outcome->error() == Error::timedOut);
    outcome.reset();
    REQUIRE(::write(pair.two.get(), "abc", 3) == 3);
    loop.tasks().start(readOnce(stream, outcome, 1000ms));
    runUntil(loop, [&] { return outcome.has_value(); });
    CHECK(outcome->value() == 3);
}

TEST_CASE("a write to a reader that takes nothing times out; one with progress does not") {
    io::Loop loop;
    SocketPair stuck(4096);
    io::SocketStream writer(loop, std::move(stuck.one));
    std::optional<Status> written;
    loop.tasks().start(writeAll(writer, patternOf(1'000'000), written, 10ms));
    runUntil(loop, [&] { return written.has_value(); });
    CHECK(written->error() == Error::timedOut);

    SocketPair slow(4096);
    io::SocketStream steady(loop, std::move(slow.one));
    io::SocketStream reader(loop, std::move(slow.two));
    std::string received;
    bool ended = false;
    written.reset();
    loop.tasks().start(writeAll(steady, patternOf(100'000), written, 200ms));
    loop.tasks().start(readAll(reader, received, ended, 2ms));
    runUntil(loop, [&] { return written.has_value(); });
    CHECK(written->has_value());
}

TEST_CASE("a short read and the end that follows it are both seen") {
    io::Loop loop;
    SocketPair pair;
    io::SocketStream stream(loop, std::move(pair.one));
    std::string received;
    bool ended = false;
    loop.tasks().start(readAll(stream, received, ended));
    REQUIRE(::write(pair.two.get(), "last words", 10) == 10);
    pair.two.reset();
    runUntil(loop, [&] { return ended; });
    CHECK(received == "last words");
}

TEST_CASE("the end that comes together with the data, before anybody reads, is seen too") {
    io::Loop loop;
    SocketPair pair;
    io::SocketStream stream(loop, std::move(pair.one));
    loop.post([] {});
    loop.turn();
    REQUIRE(::write(pair.two.get(), "x", 1) == 1);
    pair.two.reset();
    loop.post([] {});
    loop.turn(); // one event for both
    std::string received;
    bool ended = false;
    loop.tasks().start(readAll(stream, received, ended));
    runUntil(loop, [&] { return ended; });
    CHECK(received == "x");
}

TEST_CASE("a peer that leaves is noticed without reading, and writing to it fails") {
    io::Loop loop;
    SocketPair pair;
    io::SocketStream stream(loop, std::move(pair.one));
    bool left = false;
    loop.tasks().start(awaitHangup(stream, left));
    loop.post([] {});
    loop.turn();
    CHECK_FALSE(left);
    pair.two.reset();
    runUntil(loop, [&] { return left; });
    std::optional<Status> written;
    loop.tasks().start(writeAll(stream, "too late", written, io::kNever));
    REQUIRE(written);
    CHECK(written->error() == Error::peerClosed);
}

TEST_CASE("a waiting reader is dropped with its frame") {
    io::Loop loop;
    SocketPair pair;
    io::SocketStream stream(loop, std::move(pair.one));
    std::optional<Result<std::size_t>> outcome;
    loop.tasks().start(readOnce(stream, outcome, 5ms));
    loop.tasks().dropAll();
    REQUIRE(::write(pair.two.get(), "x", 1) == 1);
    loop.post([] {});
    loop.turn();
    CHECK_FALSE(outcome);
}

TEST_CASE("a part of a file is sent whole; a file that became shorter is a failure") {
    io::Loop loop;
    const Fd file(::memfd_create("test", MFD_CLOEXEC));
    const std::string content = patternOf(300'000);
    REQUIRE(::write(file.get(), content.data(), content.size()) ==
            static_cast<ssize_t>(content.size()));
    SocketPair pair(8192);
    io::SocketStream writer(loop, std::move(pair.one));
    io::SocketStream reader(loop, std::move(pair.two));
    std::string received;
    bool ended = false;
    std::optional<Status> sent;
    loop.tasks().start(sendFile(writer, file.get(), 1000, 250'000, sent));
    loop.tasks().start(readAll(reader, received, ended));
    runUntil(loop, [&] { return sent && received.size() == 250'000; });
    CHECK(received == content.substr(1000, 250'000));
    sent.reset();
    loop.tasks().start(sendFile(writer, file.get(), 299'000, 5'000, sent));
    runUntil(loop, [&] { return sent.has_value(); });
    CHECK_FALSE(sent->has_value());
}

TEST_CASE("a pipe carries bytes to a blocking reader, and tells its end by closing") {
    io::Loop loop;
    auto pipe = io::makePipe(io::OurEnd::read);
    REQUIRE(pipe);
    io::PipeStream stream(loop, std::move(pipe->read));
    CHECK((::fcntl(pipe->write.get(), F_GETFL) & O_NONBLOCK) == 0);
    std::string received;
    bool ended = false;
    loop.tasks().start(readAll(stream, received, ended));
    REQUIRE(::write(pipe->write.get(), "island", 6) == 6);
    runUntil(loop, [&] { return received == "island"; });
    pipe->write.reset();
    runUntil(loop, [&] { return ended; });
}
