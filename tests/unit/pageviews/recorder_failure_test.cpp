#include "captured_log.h"
#include "fixture.h"
#include "pageviews/recorder.h"

#include <sys/resource.h>
#include <sys/wait.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <fstream>
#include <functional>
#include <thread>

using namespace reef;
using namespace reef::pageviews;
using namespace std::chrono_literals;
using reef::pageviews::test::CapturedLog;
using reef::pageviews::test::numberIn;
using reef::pageviews::test::pageEvent;
using reef::pageviews::test::Scratch;

namespace {

std::unique_ptr<Recorder> started(const std::string& file,
                                  std::chrono::milliseconds patience = 5s) {
    RecorderOptions options;
    options.writer.file = file;
    options.writer.gather = 20ms;
    options.writer.patience = patience;
    options.writer.store.busyTimeout = 100ms;
    options.writer.store.recentPerSecond = 1'000'000;
    auto recorder = Recorder::start(std::move(options));
    REQUIRE(recorder);
    return std::move(*recorder);
}

/// Waits until it is so, ten seconds at most.
bool becomes(const std::function<bool()>& condition) {
    for (const auto end = std::chrono::steady_clock::now() + 10s;
         std::chrono::steady_clock::now() < end;) {
        if (condition()) return true;
        std::this_thread::sleep_for(5ms);
    }
    return false;
}

bool isWritten(const Recorder& recorder, std::uint64_t views) {
    return becomes([&] { return recorder.counts().written == views; });
}

bool isInTrouble(const Recorder& recorder) {
    return becomes([&] { return !recorder.counts().healthy; });
}

/// No file of this process grows beyond `bytes` while it lives: what a full disk is to SQLite.
class FileSizeLimit {
public:
    explicit FileSizeLimit(rlim_t bytes) {
        ::signal(SIGXFSZ, SIG_IGN);
        REQUIRE(::getrlimit(RLIMIT_FSIZE, &before_) == 0);
        const rlimit limit{bytes, before_.rlim_max};
        REQUIRE(::setrlimit(RLIMIT_FSIZE, &limit) == 0);
    }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;
    ~FileSizeLimit() { ::setrlimit(RLIMIT_FSIZE, &before_); }

private:
    rlimit before_{};
};

} // namespace

TEST_CASE("a database locked for seconds delays views, and loses none") {
    const Scratch scratch;
    const auto file = scratch / "p.db";
    const CapturedLog log;
    auto recorder = started(file);
    auto& producer = recorder->addProducer();
    producer.push(pageEvent("/"));
    REQUIRE(isWritten(*recorder, 1));

    auto other = Database::open(file, Access::readWrite, 100ms);
    REQUIRE(other);
    {
        auto lock = Transaction::begin(*other, Transaction::Kind::write);
        REQUIRE(lock);
        for (int i = 0; i < 500; ++i)
            producer.push(pageEvent("/"));
        REQUIRE(isInTrouble(*recorder));
        std::this_thread::sleep_for(1s); // several tries
        CHECK(recorder->counts().written == 1);
    }
    CHECK(isWritten(*recorder, 501));
    CHECK(becomes([&] { return recorder->counts().healthy; }));
    recorder->stop();
    CHECK(numberIn(file, "SELECT count(*) FROM recent") == 501);
    CHECK(numberIn(file, "SELECT views FROM page_days") == 501);
    CHECK(log.count("cannot write") == 1); // once, however many tries
    CHECK(log.count("another program holds its lock") == 1);
    CHECK(log.count("again") == 1);
}

TEST_CASE("a full disk fills the queue, drops are counted, and it recovers by itself") {
    const Scratch scratch;
    const auto file = scratch / "p.db";
    const CapturedLog log;
    auto recorder = started(file);
    auto& producer = recorder->addProducer();
    producer.push(pageEvent("/"));
    REQUIRE(isWritten(*recorder, 1));
    std::uint64_t pushed = 1;
    {
        const FileSizeLimit disk(16'384);
        for (; recorder->counts().dropped == 0 && pushed < 1'000'000; ++pushed)
            producer.push(pageEvent("/" + std::to_string(pushed)));
        REQUIRE(isInTrouble(*recorder));
        CHECK(recorder->counts().dropped > 0);
        std::this_thread::sleep_for(500ms);
    }
    producer.push(pageEvent("/late"));
    ++pushed;
    CHECK(
        becomes([&] { return recorder->counts().written + recorder->counts().dropped == pushed; }));
    recorder->stop();
    const auto counts = recorder->counts();
    CHECK(counts.healthy);
    CHECK(numberIn(file, "SELECT sum(views) FROM site_quarters") ==
          static_cast<std::int64_t>(counts.written));
    CHECK(numberIn(file, "SELECT sum(views) FROM losses") ==
          static_cast<std::int64_t>(counts.dropped));
    CAPTURE(log.text());
    CHECK(log.count("cannot write") == 1);
    CHECK(log.count("again") == 1);
}

TEST_CASE("a lock that never ends cannot keep the server from stopping") {
    const Scratch scratch;
    const auto file = scratch / "p.db";
    const CapturedLog log;
    auto recorder = started(file, 300ms);
    auto& producer = recorder->addProducer();
    REQUIRE(becomes([&] { return std::filesystem::exists(file); }));
    auto other = Database::open(file, Access::readWrite, 2s);
    REQUIRE(other);
    auto lock = Transaction::begin(*other, Transaction::Kind::write);
    REQUIRE(lock);
    producer.push(pageEvent("/"));
    const auto start = std::chrono::steady_clock::now();
    recorder->stop();
    CHECK(std::chrono::steady_clock::now() - start < 3s);
    CHECK(recorder->counts().written == 0);
    CHECK(log.count("stopped without writing 1 view") == 1);
}

TEST_CASE("a lock that ends during the stop loses nothing") {
    const Scratch scratch;
    const auto file = scratch / "p.db";
    auto recorder = started(file);
    auto& producer = recorder->addProducer();
    REQUIRE(becomes([&] { return std::filesystem::exists(file); }));
    auto other = Database::open(file, Access::readWrite, 2s);
    REQUIRE(other);
    auto lock = Transaction::begin(*other, Transaction::Kind::write);
    REQUIRE(lock);
    for (int i = 0; i < 1000; ++i)
        producer.push(pageEvent("/"));
    std::thread holder([&lock] {
        std::this_thread::sleep_for(700ms);
        REQUIRE(lock->commit());
    });
    recorder->stop();
    holder.join();
    CHECK(numberIn(file, "SELECT count(*) FROM recent") == 1000);
}

TEST_CASE("a directory that appears later is used from then on") {
    const Scratch scratch;
    const CapturedLog log;
    auto recorder = started(scratch / "data/p.db");
    auto& producer = recorder->addProducer();
    producer.push(pageEvent("/"));
    REQUIRE(isInTrouble(*recorder));
    std::filesystem::create_directory(scratch / "data");
    CHECK(isWritten(*recorder, 1));
    CHECK(log.count("its directory does not exist") == 1);
}

TEST_CASE("a database removed under the running server is begun anew") {
    const Scratch scratch;
    const auto file = scratch / "p.db";
    const CapturedLog log;
    auto recorder = started(file);
    auto& producer = recorder->addProducer();
    producer.push(pageEvent("/before"));
    REQUIRE(isWritten(*recorder, 1));
    std::filesystem::remove(file);
    producer.push(pageEvent("/after"));
    REQUIRE(isWritten(*recorder, 2));
    recorder->stop();
    CHECK(numberIn(file, "SELECT count(*) FROM recent") == 1);
    CHECK(log.count("was removed or replaced") == 1);
}

TEST_CASE("a database that breaks under the running server is set aside, and views go on") {
    const Scratch scratch;
    const auto file = scratch / "p.db";
    const CapturedLog log;
    {
        auto recorder = started(file);
        auto& producer = recorder->addProducer();
        for (int i = 0; i < 3000; ++i)
            producer.push(pageEvent("/" + std::to_string(i)));
    }
    { // everything behind the first pages is overwritten; the header stays sound
        std::fstream damage(file, std::ios::binary | std::ios::in | std::ios::out);
        damage.seekp(2 * 4096);
        damage << std::string(std::filesystem::file_size(file) - 2 * 4096, '\xa5');
    }
    auto recorder = started(file);
    auto& producer = recorder->addProducer();
    producer.push(pageEvent("/on"));
    REQUIRE(isWritten(*recorder, 1));
    recorder->stop();
    CHECK(numberIn(file, "SELECT count(*) FROM recent") == 1);
    CHECK(log.count("is not a sound database; it is now") == 1);
}

TEST_CASE("a server killed while it writes leaves a sound database of whole batches") {
    const Scratch scratch;
    const auto file = scratch / "p.db";
    for (int round = 0; round < 3; ++round) {
        int ready[2];
        REQUIRE(::pipe(ready) == 0);
        const pid_t child = ::fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            auto recorder = started(file);
            auto& producer = recorder->addProducer();
            for (int i = 0;; ++i) {
                producer.push(pageEvent("/" + std::to_string(i % 100)));
                if (i % 200 == 0) std::this_thread::sleep_for(1ms);
                if (recorder->counts().written > 0 && ready[1] >= 0) {
                    if (::write(ready[1], "!", 1) != 1) ::_exit(1);
                    ready[1] = -1;
                }
            }
        }
        char byte = 0;
        REQUIRE(::read(ready[0], &byte, 1) == 1);
        std::this_thread::sleep_for(std::chrono::milliseconds(30 + 40 * round));
        REQUIRE(::kill(child, SIGKILL) == 0);
        REQUIRE(::waitpid(child, nullptr, 0) == child);
        ::close(ready[0]);
        ::close(ready[1]);

        auto recorder = started(file); // as the keeper would at once
        recorder->addProducer().push(pageEvent("/again"));
        recorder->stop();
        CHECK(recorder->counts().written == 1);
        CHECK(pageviews::test::textIn(file, "PRAGMA integrity_check") == "ok");
        const auto views = numberIn(file, "SELECT sum(views) FROM site_quarters");
        CHECK(views > round);
        CHECK(numberIn(file, "SELECT sum(views) FROM page_quarters") == views);
        CHECK(numberIn(file, "SELECT sum(views) FROM page_days") == views);
        CHECK(numberIn(file, "SELECT max(id) FROM recent") == views);
    }
}
