#include "app/access_log_file.h"
#include "scratch.h"

#include <sys/resource.h>
#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <csignal>

using namespace reef;
using app::AccessLogFile;

namespace {

struct Fixture {
    AccessLogFile open(ByteCount maxBytes = 0, std::size_t keep = 2) {
        app::AccessLogOptions options;
        options.file = name;
        options.maxBytes = maxBytes;
        options.keep = keep;
        return AccessLogFile(std::move(options));
    }
    std::string content(const char* suffix = "") const { return test::contentOf(name + suffix); }
    bool exists(const char* suffix) const { return std::filesystem::exists(name + suffix); }

    test::Scratch scratch;
    std::string name = (scratch.path() / "access.log").string();
};

/// No file may grow beyond this, while it lives: how a full disk looks to one process.
class FileSizeLimit {
public:
    explicit FileSizeLimit(rlim_t bytes) {
        before_ = ::signal(SIGXFSZ, SIG_IGN);
        REQUIRE(::getrlimit(RLIMIT_FSIZE, &limit_) == 0);
        const rlimit lower{bytes, limit_.rlim_max};
        REQUIRE(::setrlimit(RLIMIT_FSIZE, &lower) == 0);
    }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;
    ~FileSizeLimit() {
        ::setrlimit(RLIMIT_FSIZE, &limit_);
        ::signal(SIGXFSZ, before_);
    }

private:
    rlimit limit_{};
    void (*before_)(int) = nullptr;
};

} // namespace

TEST_CASE_METHOD(Fixture, "lines are added to what the file holds, and others may not read it") {
    test::writeContent(name, "old\n");
    auto file = open();
    CHECK(file.write(bytesOf("one\ntwo\n")) == 8);
    CHECK(file.write(bytesOf("three\n")) == 6);
    CHECK(content() == "old\none\ntwo\nthree\n");
    std::filesystem::remove(name);
    CHECK(file.write(bytesOf("new\n")) == 4); // and so a removed file is noticed
    CHECK(content() == "new\n");
    struct stat status{};
    REQUIRE(::stat(name.c_str(), &status) == 0);
    CHECK((status.st_mode & 0007U) == 0);
}

TEST_CASE_METHOD(Fixture, "a file that was moved away is written on until it is closed") {
    auto file = open();
    file.write(bytesOf("one\n"));
    std::filesystem::rename(name, name + ".moved");
    file.write(bytesOf("two\n"));
    file.close();
    file.write(bytesOf("three\n"));
    CHECK(content(".moved") == "one\ntwo\n");
    CHECK(content() == "three\n");
}

TEST_CASE_METHOD(Fixture, "a file is rotated before it grows too large, and so many are kept") {
    auto file = open(10);
    CHECK(file.write(bytesOf("aaa\nbbb\nccc\nddd\neee\nfff\nggg\n")) == 28);
    CHECK(content() == "ggg\n");
    CHECK(content(".1") == "eee\nfff\n");
    CHECK(content(".2") == "ccc\nddd\n");
    CHECK_FALSE(exists(".3"));
    CHECK(file.write(bytesOf("larger than the file may be\nhhh\n")) == 32);
    CHECK(content(".1") == "larger than the file may be\n");
    CHECK(content() == "hhh\n");
}

TEST_CASE_METHOD(Fixture, "a file left by another run counts for the rotation; none need be kept") {
    test::writeContent(name, "12345678\n");
    auto file = open(10, 0);
    CHECK(file.write(bytesOf("new\n")) == 4);
    CHECK(content() == "new\n");
    CHECK_FALSE(exists(".1"));
}

TEST_CASE_METHOD(Fixture, "a full disk stops within a line, which is completed later") {
    auto file = open();
    {
        const FileSizeLimit full(6);
        CHECK(file.write(bytesOf("one\ntwo\nthree\n")) == 4);
        CHECK(file.trouble().systemError() == EFBIG);
        CHECK(file.write(bytesOf("two\nthree\n")) == 0);
    }
    CHECK(file.write(bytesOf("two\nthree\n")) == 10);
    CHECK(content() == "one\ntwo\nthree\n");
}

TEST_CASE_METHOD(Fixture, "a line that was cut by a full disk is whole in the file that follows") {
    auto file = open();
    {
        const FileSizeLimit full(6);
        CHECK(file.write(bytesOf("one\ntwo\n")) == 4);
    }
    std::filesystem::rename(name, name + ".moved");
    file.close();
    CHECK(file.write(bytesOf("two\n")) == 4);
    CHECK(content() == "two\n");
}

TEST_CASE_METHOD(Fixture, "a file that cannot be opened keeps the lines waiting") {
    name = (scratch.path() / "none" / "access.log").string();
    auto file = open();
    CHECK(file.write(bytesOf("one\n")) == 0);
    CHECK(file.trouble().systemError() == ENOENT);
    std::filesystem::create_directory(scratch.path() / "none");
    CHECK(file.write(bytesOf("one\n")) == 4);
}
