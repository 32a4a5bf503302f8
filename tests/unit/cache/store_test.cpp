#include "base/arena.h"
#include "cache/store.h"

#include <catch2/catch.hpp>

using namespace reef;
using namespace std::chrono_literals;
using cache::Entry;
using cache::Purge;

namespace {

const cache::TimePoint kStart{1h};

std::shared_ptr<Entry> answer(const std::string& key, std::size_t size = 10,
                              const std::string& path = "/", const std::string& host = "a.org") {
    Arena arena;
    auto entry = std::make_shared<Entry>();
    entry->key = key;
    entry->place = {host, path, path};
    entry->head = std::make_shared<cache::Head>(http::ResponseHead(arena));
    entry->content.assign(size, 'x');
    entry->lifetime = {60s, 10s, 20s, 0ms};
    entry->made = kStart;
    return entry;
}

bool has(cache::Store& store, const std::string& key, cache::TimePoint now = kStart) {
    return store.find(key, now) != nullptr;
}

} // namespace

TEST_CASE("an entry is fresh, then stale, then good for failures, then gone, and its bytes too") {
    cache::Store store(1_MiB);
    REQUIRE(store.put(answer("a")));
    CHECK(store.bytes() > 500);
    const auto entry = store.find("a", kStart);
    REQUIRE(entry != nullptr);
    CHECK(entry->isFresh(kStart + 59s));
    CHECK_FALSE(entry->isFresh(kStart + 60s));
    CHECK(entry->mayStandIn(kStart + 69s));
    CHECK_FALSE(entry->mayStandIn(kStart + 70s));
    CHECK(entry->mayStandInForError(kStart + 79s));
    CHECK(has(store, "a", kStart + 79s));
    CHECK_FALSE(has(store, "a", kStart + 80s));
    CHECK(store.bytes() == 0);
    CHECK(store.answers() == 0);
}

TEST_CASE("what was not asked for the longest goes first when there is no room") {
    const auto each = answer("a", 1000)->bytes();
    cache::Store store(3 * each + each / 2);
    for (const char* key : {"a", "b", "c"})
        REQUIRE(store.put(answer(key, 1000)));
    CHECK(has(store, "a"));
    REQUIRE(store.put(answer("d", 1000)));
    CHECK(has(store, "a"));
    CHECK_FALSE(has(store, "b"));
    CHECK(has(store, "c"));
    CHECK(has(store, "d"));
    CHECK(store.evicted() == 1);
    CHECK(store.answers() == 3);
    CHECK(store.bytes() <= 3 * each + each / 2);
    store.setLimit(each);
    CHECK(store.answers() == 1);
    CHECK(has(store, "d"));
}

TEST_CASE("keys count against the limit, not contents alone") {
    cache::Store store(64_KiB);
    for (int i = 0; i != 1000; ++i)
        store.put(answer(std::string(1000, 'k') + std::to_string(i), 0));
    CHECK(store.bytes() <= 64_KiB);
    CHECK(store.answers() < 64);
}

TEST_CASE("an entry larger than the limit is not kept, and drops the one that it was to replace") {
    cache::Store store(4_KiB);
    REQUIRE(store.put(answer("a")));
    CHECK_FALSE(store.put(answer("a", 8192)));
    CHECK_FALSE(has(store, "a"));
    CHECK(store.bytes() == 0);
}

TEST_CASE("a purge drops a path, what lies below one, or all, of one host or of every") {
    cache::Store store(1_MiB);
    store.put(answer("1", 1, "/news"));
    store.put(answer("2", 1, "/news/a"));
    store.put(answer("3", 1, "/news/b", "b.org"));
    store.put(answer("4", 1, "/newspaper"));
    auto led = answer("5", 1, "/cgi-bin/x.sh");
    led->place.asked = "/news/led";
    store.put(led);
    CHECK(store.purge(Purge::exactly("/news/*")) == 0);
    CHECK(store.purge(Purge::exactly("/news")) == 1);
    CHECK(store.purge(Purge::matching("/news/*", "b.org")) == 1);
    CHECK(store.purge(Purge::matching("/news/*")) == 2);
    CHECK(has(store, "4"));
    store.put(led);
    CHECK(store.purge(Purge::exactly("/cgi-bin/x.sh")) == 1);
    store.put(led);
    CHECK(store.purge(Purge::exactly("/news/led", "b.org")) == 0);
    CHECK(store.purge(Purge::exactly("/news/led", "a.org")) == 1);
    CHECK(store.purge(Purge::matching("*")) == 1);
    CHECK(store.bytes() == 0);
}
