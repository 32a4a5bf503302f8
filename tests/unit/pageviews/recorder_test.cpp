#include "fixture.h"
#include "pageviews/recorder.h"

#include <catch2/catch.hpp>
#include <thread>
#include <vector>

using namespace reef;
using namespace reef::pageviews;
using namespace std::chrono_literals;
using reef::pageviews::test::numberIn;
using reef::pageviews::test::pageEvent;
using reef::pageviews::test::Scratch;

namespace {

std::unique_ptr<Recorder> started(const std::string& file) {
    RecorderOptions options;
    options.writer.file = file;
    auto recorder = Recorder::start(std::move(options));
    REQUIRE(recorder);
    return std::move(*recorder);
}

} // namespace

TEST_CASE("a thousand views, and a stop at once: a thousand rows") {
    const Scratch scratch;
    const auto file = scratch / "p.db";
    auto recorder = started(file);
    auto& producer = recorder->addProducer();
    for (int i = 0; i < 1000; ++i)
        producer.push(pageEvent("/"));
    recorder->stop();
    CHECK_FALSE(std::filesystem::exists(file + "-wal")); // folded into the database
    CHECK(numberIn(file, "SELECT count(*) FROM recent") == 1000);
    CHECK(numberIn(file, "SELECT views FROM page_quarters") == 1000);
    CHECK(recorder->counts().written == 1000);
    CHECK(recorder->counts().dropped == 0);
}

TEST_CASE("the destructor stops too, and a stop without views is no trouble") {
    const Scratch scratch;
    const auto file = scratch / "p.db";
    started(file).reset();
    CHECK(numberIn(file, "SELECT count(*) FROM recent") == 0);
    started(file)->addProducer().push(pageEvent("/"));
    CHECK(numberIn(file, "SELECT count(*) FROM recent") == 1);
}

TEST_CASE("a view is on disk soon after, without any further one") {
    const Scratch scratch;
    const auto file = scratch / "p.db";
    auto recorder = started(file);
    auto& producer = recorder->addProducer();
    for (std::uint64_t round = 1; round <= 3; ++round) { // asleep again between the rounds
        producer.push(pageEvent("/"));
        const auto start = std::chrono::steady_clock::now();
        while (recorder->counts().written < round && std::chrono::steady_clock::now() - start < 10s)
            std::this_thread::sleep_for(5ms);
        REQUIRE(recorder->counts().written == round);
    }
    CHECK(numberIn(file, "SELECT count(*) FROM recent") == 3);
}

TEST_CASE("what is no page is not even queued") {
    const Scratch scratch;
    const auto file = scratch / "p.db";
    auto recorder = started(file);
    auto& producer = recorder->addProducer();
    auto picture = pageEvent("/a.png");
    picture.contentType = "image/png";
    for (int i = 0; i < 100'000; ++i)
        producer.push(picture);
    recorder->stop();
    CHECK(recorder->counts().written == 0);
    CHECK(recorder->counts().dropped == 0);
}

TEST_CASE("several loops push at once, and no view is lost") {
    static constexpr int kThreads = 3;
    static constexpr int kViews = 20'000;
    const Scratch scratch;
    const auto file = scratch / "p.db";
    auto recorder = started(file);
    std::vector<std::thread> loops;
    for (int i = 0; i < kThreads; ++i) {
        loops.emplace_back([&producer = recorder->addProducer(), i] {
            const std::string path = "/" + std::to_string(i);
            for (int n = 0; n < kViews; ++n) {
                producer.push(pageEvent(path));
                if (n % 500 == 499)
                    std::this_thread::sleep_for(2ms); // as a loop would, it leaves the writer time
            }
        });
    }
    for (auto& loop : loops)
        loop.join();
    recorder->stop();
    const auto counts = recorder->counts();
    CHECK(counts.written + counts.dropped == kThreads * kViews);
    CHECK(numberIn(file, "SELECT sum(views) FROM page_days") ==
          static_cast<std::int64_t>(counts.written));
    CHECK(numberIn(file, "SELECT count(*) FROM page_days") == kThreads);
    CHECK(numberIn(file, "SELECT coalesce(sum(views), 0) FROM losses") ==
          static_cast<std::int64_t>(counts.dropped));
}

TEST_CASE("views of a second run come on top of those of the first") {
    const Scratch scratch;
    const auto file = scratch / "p.db";
    for (int run = 0; run < 2; ++run) {
        auto recorder = started(file);
        auto& producer = recorder->addProducer();
        for (int i = 0; i < 10; ++i)
            producer.push(pageEvent("/"));
    }
    CHECK(numberIn(file, "SELECT count(*) FROM recent") == 20);
    CHECK(numberIn(file, "SELECT views FROM page_days") == 20);
}
