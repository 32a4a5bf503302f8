#include "fixture.h"
#include "pageviews/event_codec.h"
#include "pageviews/event_ring.h"

#include <catch2/catch.hpp>
#include <string>
#include <thread>

using namespace reef::pageviews;
using reef::pageviews::test::pageEvent;

namespace {

/// Ten different texts in an event, none of them at its place in another.
Event fullEvent(const std::string& path) {
    auto event = pageEvent(path);
    event.site = "site";
    event.query = "q=1";
    event.referrer = "https://x.org/";
    event.purpose = "prefetch";
    event.fetchDestination = "document";
    return event;
}

/// Reads everything there is; returns how many, and checks that the paths count up from `next`.
std::uint64_t drain(EventRing& ring, std::uint64_t next) {
    auto reader = ring.reader();
    Event event;
    std::uint64_t count = 0;
    for (; reader.next(event); ++count)
        REQUIRE(event.path == "/" + std::to_string(next + count));
    reader.release();
    return count;
}

} // namespace

TEST_CASE("what comes out of the ring is what went in") {
    EventRing ring(0);
    const std::string path = "/a?b\xff";
    const Event in = fullEvent(path);
    REQUIRE(ring.empty());
    REQUIRE(ring.push(in) == EventRing::Push::stored);
    CHECK_FALSE(ring.empty());

    Event out;
    auto reader = ring.reader();
    REQUIRE(reader.next(out));
    CHECK(out.time == in.time);
    CHECK(out.duration == in.duration);
    CHECK(out.bytesSent == in.bytesSent);
    CHECK(out.status == in.status);
    for (const auto text : {&Event::method, &Event::site, &Event::host, &Event::path, &Event::query,
                            &Event::contentType, &Event::referrer, &Event::userAgent,
                            &Event::purpose, &Event::fetchDestination})
        CHECK(out.*text == in.*text);
    CHECK_FALSE(reader.next(out));
}

TEST_CASE("an event stays in the ring until it is released") {
    EventRing ring(0);
    ring.push(pageEvent("/0"));
    Event event;
    {
        auto reader = ring.reader();
        REQUIRE(reader.next(event)); // and dropped: the batch failed
    }
    CHECK_FALSE(ring.empty());
    CHECK(drain(ring, 0) == 1);
    CHECK(ring.empty());
}

TEST_CASE("a full ring drops and counts, and takes events again once there is room") {
    EventRing ring(0);
    std::uint64_t stored = 0;
    bool sawHalf = false;
    for (;; ++stored) {
        const auto push = ring.push(pageEvent("/" + std::to_string(stored)));
        if (push == EventRing::Push::dropped) break;
        sawHalf = sawHalf || push == EventRing::Push::pastHalf;
    }
    CHECK(sawHalf);
    CHECK(stored > 100);
    CHECK(ring.push(pageEvent("/lost")) == EventRing::Push::dropped);
    CHECK(ring.dropped() == 2);
    CHECK(drain(ring, 0) == stored);
    CHECK(ring.push(pageEvent("/0")) == EventRing::Push::stored);
    CHECK(drain(ring, 0) == 1);
    CHECK(ring.dropped() == 2);
}

TEST_CASE("events of every size survive the end of the circle") {
    EventRing ring(0);
    std::uint64_t in = 0;
    std::uint64_t out = 0;
    const std::string filler(3000, 'x');
    for (int round = 0; round < 20'000; ++round) {
        const std::string path = "/" + std::to_string(in);
        auto event = pageEvent(path);
        event.query =
            std::string_view(filler).substr(0, static_cast<std::size_t>(round * 37 % 3000));
        if (ring.push(event) != EventRing::Push::dropped) ++in;
        if (round % 7 == 0) out += drain(ring, out);
    }
    out += drain(ring, out);
    CHECK(out == in);
    CHECK(in == 20'000);
}

TEST_CASE("endless texts are cut, so that no client fills the ring with few requests") {
    EventRing ring(0);
    const std::string endless(1'000'000, 'a');
    auto event = fullEvent("/");
    for (const auto text : {&Event::method, &Event::site, &Event::host, &Event::path, &Event::query,
                            &Event::contentType, &Event::referrer, &Event::userAgent,
                            &Event::purpose, &Event::fetchDestination})
        event.*text = endless;
    CHECK(EventEncoder(event).size() == maxEncodedEvent());
    CHECK(maxEncodedEvent() < 24 * 1024);
    CHECK(ring.push(event) == EventRing::Push::stored);
    Event out;
    auto reader = ring.reader();
    REQUIRE(reader.next(out));
    CHECK(out.path == endless.substr(0, 8192));
    CHECK(out.userAgent == endless.substr(0, 512));
}

TEST_CASE("two threads pass a hundred thousand events without losing or changing one") {
    static constexpr std::uint64_t kEvents = 100'000;
    EventRing ring(0);
    std::thread producer([&ring] {
        for (std::uint64_t i = 0; i < kEvents;) {
            const std::string path = "/" + std::to_string(i);
            if (ring.push(pageEvent(path)) != EventRing::Push::dropped) {
                ++i;
            } else {
                std::this_thread::yield();
            }
        }
    });
    std::uint64_t seen = 0;
    while (seen < kEvents) {
        const auto count = drain(ring, seen);
        if (count == 0) std::this_thread::yield();
        seen += count;
    }
    producer.join();
    CHECK(seen == kEvents);
    CHECK(ring.empty());
}
