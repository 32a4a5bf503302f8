#include "base/fd.h"
#include "base/write_all.h"

#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <string>
#include <thread>

using namespace reef;

TEST_CASE("everything is written, in as many calls as a slow reader makes of it") {
    int ends[2];
    REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
    const Fd reading(ends[0]);
    Fd writing(ends[1]);
    std::string sent;
    for (int i = 0; sent.size() < 500'000; ++i)
        sent += std::to_string(i);
    std::string received;
    std::thread reader([&] {
        char piece[999];
        for (ssize_t got = 1; got > 0;) {
            got = ::read(reading.get(), piece, sizeof piece);
            if (got > 0) received.append(piece, static_cast<std::size_t>(got));
        }
    });
    CHECK(writeAll(writing.get(), bytesOf(sent)));
    writing.reset();
    reader.join();
    CHECK((received == sent));
}

TEST_CASE("nothing to write is no failure") {
    CHECK(writeAll(-1, {}));
}

TEST_CASE("a full disk is told") {
    const Fd full(::open("/dev/full", O_WRONLY | O_CLOEXEC));
    REQUIRE(full);
    const auto written = writeAll(full.get(), bytesOf("x"));
    REQUIRE_FALSE(written);
    CHECK(written.error().systemError() == ENOSPC);
}
