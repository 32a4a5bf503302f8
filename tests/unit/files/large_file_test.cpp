#include "files/answers.h"

#include <unistd.h>

using namespace reef;

namespace {

constexpr ByteCount kGiB = ByteCount{1} << 30U;
constexpr ByteCount kSize = 5 * kGiB;

/// A file of 5 GiB of which almost nothing is stored: digits stand around 4 GiB and at its end.
struct Fixture : test::FileSite {
    Fixture() {
        put("large.bin", "first");
        const Fd file(::open((scratch.path() / "large.bin").c_str(), O_WRONLY | O_CLOEXEC));
        REQUIRE(::ftruncate(file.get(), static_cast<off_t>(kSize)) == 0);
        write(file, 4 * kGiB - 5, "0123456789");
        write(file, kSize - 4, "last");
    }

    static void write(const Fd& file, ByteCount offset, std::string_view text) {
        REQUIRE(::pwrite(file.get(), text.data(), text.size(), static_cast<off_t>(offset)) ==
                static_cast<ssize_t>(text.size()));
    }
};

} // namespace

TEST_CASE_METHOD(Fixture, "ranges around and beyond 4 GiB bring the bytes that stand there") {
    struct Case {
        const char* range;
        const char* place;
        const char* content;
    };
    for (const Case c :
         {Case{"bytes=4294967291-4294967300", "bytes 4294967291-4294967300/5368709120",
               "0123456789"},
          Case{"bytes=4294967296-4294967297", "bytes 4294967296-4294967297/5368709120", "56"},
          Case{"bytes=-4", "bytes 5368709116-5368709119/5368709120", "last"},
          Case{"bytes=5368709116-", "bytes 5368709116-5368709119/5368709120", "last"}}) {
        INFO(c.range);
        const auto answer = ask("/large.bin", {{"Range", c.range}});
        CHECK(answer.status == 206);
        CHECK(answer.field("Content-Range") == c.place);
        CHECK(answer.content == c.content);
    }
    const auto beyond = ask("/large.bin", {{"Range", "bytes=5368709120-"}});
    CHECK(beyond.status == 416);
    CHECK(beyond.field("Content-Range") == "bytes */5368709120");
}

TEST_CASE_METHOD(Fixture, "parts may lie on both sides of 4 GiB") {
    const auto answer = ask("/large.bin", {{"Range", "bytes=0-4,4294967291-4294967300,-4"}});
    CHECK(answer.status == 206);
    CHECK(answer.content.find("bytes 0-4/5368709120\r\n\r\nfirst\r\n") != std::string::npos);
    CHECK(answer.content.find("/5368709120\r\n\r\n0123456789\r\n") != std::string::npos);
    CHECK(answer.content.find("/5368709120\r\n\r\nlast\r\n") != std::string::npos);
}

TEST_CASE_METHOD(Fixture, "a part of more than 4 GiB is sent as a file, and its length is told") {
    const auto answer = ask("/large.bin", {{"Range", "bytes=1-"}});
    CHECK(answer.calls == std::vector<std::string>{"sendFile"});
    CHECK(answer.field("Content-Range") == "bytes 1-5368709119/5368709120");
    CHECK(ask("/large.bin", {}, http::Method::head).calls == std::vector<std::string>{"sendFile"});
}
