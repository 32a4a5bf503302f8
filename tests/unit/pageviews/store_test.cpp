#include "captured_log.h"
#include "fixture.h"
#include "pageviews/quarter.h"
#include "pageviews/store.h"

#include <catch2/catch.hpp>
#include <fstream>

using namespace reef;
using namespace reef::pageviews;
using namespace std::chrono_literals;
using reef::pageviews::test::kNow;
using reef::pageviews::test::numberIn;
using reef::pageviews::test::pageEvent;
using reef::pageviews::test::Scratch;
using reef::pageviews::test::textIn;

namespace {

std::unique_ptr<Store> opened(const std::string& file, const StoreOptions& options = {}) {
    auto store = Store::open(file, options);
    REQUIRE(store);
    return std::move(*store);
}

void write(Store& store, const std::vector<Event>& events) {
    REQUIRE(store.begin());
    for (const auto& event : events)
        REQUIRE(store.add(event));
    REQUIRE(store.commit());
}

} // namespace

TEST_CASE("a view is one row among the last page views and adds to three sums") {
    const Scratch scratch;
    const auto file = scratch / "p.db";
    auto store = opened(file);
    auto event = pageEvent("/a%20b/");
    event.referrer = "https://x.org/";
    write(*store, {event, event, pageEvent("/")});

    CHECK(numberIn(file, "SELECT count(*) FROM recent") == 3);
    CHECK(numberIn(
              file,
              "SELECT views FROM page_quarters JOIN paths ON id = path WHERE text = '/a%20b/'") ==
          2);
    CHECK(numberIn(file,
                   "SELECT views FROM page_days JOIN paths ON id = path WHERE text = '/a%20b/'") ==
          2);
    CHECK(numberIn(file, "SELECT views FROM site_quarters") == 3);
    CHECK(numberIn(file, "SELECT bytes FROM site_quarters") == 3 * 2048);
    CHECK(numberIn(file, "SELECT micros FROM site_quarters") == 3 * 1500);
    CHECK(numberIn(file, "SELECT quarter FROM site_quarters") == quarterOf(kNow));
    CHECK(numberIn(file, "SELECT day FROM page_days") == quarterOf(kNow) / 96);
    CHECK(textIn(file, "SELECT text FROM referrers") == "x.org");
    CHECK(textIn(file, "SELECT text FROM agents") == "Firefox");

    write(*store, {event}); // a second batch adds to the same rows
    CHECK(numberIn(
              file,
              "SELECT views FROM page_quarters JOIN paths ON id = path WHERE text = '/a%20b/'") ==
          3);
    CHECK(numberIn(file, "SELECT count(*) FROM paths") == 2);
}

TEST_CASE("what is no page leaves no trace, a bot leaves its reason") {
    const Scratch scratch;
    const auto file = scratch / "p.db";
    auto store = opened(file);
    auto picture = pageEvent("/a.png");
    picture.contentType = "image/png";
    auto bot = pageEvent("/");
    bot.userAgent = "curl/7.88.1";
    write(*store, {picture, bot});
    CHECK(numberIn(file, "SELECT count(*) FROM recent") == 1);
    CHECK(numberIn(file, "SELECT count(*) FROM paths") == 1);
    CHECK(numberIn(file, "SELECT verdict FROM site_quarters") ==
          static_cast<int>(Verdict::clientLibrary));
}

TEST_CASE("no address and no whole user agent reaches the disk") { // rule R15
    const Scratch scratch;
    const auto file = scratch / "p.db";
    auto event = pageEvent("/");
    event.query = "token=SECRET";
    event.referrer = "https://u:SECRET@x.org/?q=SECRET#SECRET";
    write(*opened(file), {event});
    std::string bytes;
    for (const auto& entry : std::filesystem::directory_iterator(scratch.path())) {
        std::ifstream in(entry.path(), std::ios::binary);
        bytes.append(std::istreambuf_iterator<char>(in), {});
    }
    REQUIRE(bytes.find("x.org") != std::string::npos);
    for (const auto secret : {"ADDR", "SECRET", "Gecko", "Linux"})
        CHECK(bytes.find(secret) == std::string::npos);
}

TEST_CASE("views fall into UTC quarters of an hour, over midnight too") {
    const Scratch scratch;
    const auto file = scratch / "p.db";
    const auto midnight = std::chrono::floor<std::chrono::days>(kNow);
    write(*opened(file), {pageEvent("/", midnight - 1ms), pageEvent("/", midnight),
                          pageEvent("/", midnight + 15min)});
    CHECK(numberIn(file, "SELECT count(*) FROM page_quarters") == 3);
    CHECK(numberIn(file, "SELECT count(*) FROM page_days") == 2);
    CHECK(numberIn(file, "SELECT max(quarter) - min(quarter) FROM site_quarters") == 2);
}

TEST_CASE("the same path of two sites is two pages") {
    const Scratch scratch;
    const auto file = scratch / "p.db";
    auto other = pageEvent("/");
    other.site = "other";
    write(*opened(file), {pageEvent("/"), other, other});
    CHECK(numberIn(file, "SELECT count(*) FROM paths WHERE text = '/'") == 2);
    CHECK(numberIn(file, "SELECT views FROM site_quarters JOIN sites ON id = site_quarters.site "
                         "WHERE text = 'other'") == 2);
}

TEST_CASE("endless paths of a scanner become one, and known pages keep their own") { // rule R8
    const Scratch scratch;
    const auto file = scratch / "p.db";
    StoreOptions options;
    options.pathsPerDay = 10;
    auto store = opened(file, options);
    std::vector<std::string> paths;
    for (int i = 0; i < 1000; ++i)
        paths.push_back("/" + std::to_string(i));
    std::vector<Event> events;
    for (const auto& path : paths)
        events.push_back(pageEvent(path));
    write(*store, events);
    CHECK(numberIn(file, "SELECT count(*) FROM paths") == 11);
    CHECK(numberIn(file,
                   "SELECT views FROM page_days JOIN paths ON id = path WHERE text = '(other)'") ==
          990);

    write(*opened(file, options),
          {pageEvent("/5"), pageEvent("/new")}); // the limit outlives a restart
    CHECK(numberIn(file, "SELECT views FROM page_days JOIN paths ON id = path WHERE text = '/5'") ==
          2);
    CHECK(numberIn(file, "SELECT count(*) FROM paths") == 11);

    write(*store, {pageEvent("/500", kNow + std::chrono::days(1))}); // a new day, new names
    CHECK(numberIn(file, "SELECT count(*) FROM paths WHERE text = '/500'") == 1);
}

TEST_CASE("only the last page views are kept one by one, the sums know all") {
    const Scratch scratch;
    const auto file = scratch / "p.db";
    StoreOptions options;
    options.recentViews = 20;
    auto store = opened(file, options);
    for (int batch = 0; batch < 5; ++batch)
        write(*store, std::vector<Event>(13, pageEvent("/")));
    CHECK(numberIn(file, "SELECT count(*) FROM recent") == 20);
    CHECK(numberIn(file, "SELECT max(id) FROM recent") == 65);
    CHECK(numberIn(file, "SELECT sum(views) FROM site_quarters") == 65);
}

TEST_CASE("of a flood only the first views of a second are kept one by one, the sums know all") {
    const Scratch scratch;
    const auto file = scratch / "p.db";
    StoreOptions options;
    options.recentPerSecond = 10;
    auto store = opened(file, options);
    write(*store, std::vector<Event>(8, pageEvent("/")));
    write(*store, std::vector<Event>(8, pageEvent("/")));
    CHECK(numberIn(file, "SELECT count(*) FROM recent") == 10);
    write(*store, {pageEvent("/", kNow + std::chrono::seconds(1))});
    CHECK(numberIn(file, "SELECT count(*) FROM recent") == 11);
    CHECK(numberIn(file, "SELECT sum(views) FROM site_quarters") == 17);
}

TEST_CASE("a batch taken back leaves nothing, and the next one is whole") {
    const Scratch scratch;
    const auto file = scratch / "p.db";
    auto store = opened(file);
    REQUIRE(store->begin());
    REQUIRE(store->add(pageEvent("/gone")));
    store->rollback();
    write(*store, {pageEvent("/kept"),
                   pageEvent("/gone")}); // "/gone" had a number that is not valid any more
    CHECK(numberIn(file, "SELECT count(*) FROM recent JOIN paths ON paths.id = path") == 2);
    CHECK(numberIn(file, "SELECT sum(views) FROM site_quarters") == 2);
}

TEST_CASE("absurd numbers do not poison the sums") {
    const Scratch scratch;
    const auto file = scratch / "p.db";
    auto event = pageEvent("/", Time(std::chrono::milliseconds(-5)));
    event.bytesSent = ~ByteCount{0};
    event.duration = std::chrono::microseconds::max();
    auto negative = pageEvent("/", Time::min());
    negative.duration = std::chrono::microseconds::min();
    auto store = opened(file);
    for (int i = 0; i < 3; ++i)
        write(*store, {event, event, negative});
    CHECK(numberIn(file, "SELECT views FROM site_quarters") == 9);
    CHECK(numberIn(file, "SELECT bytes FROM site_quarters") > 0);
    CHECK(numberIn(file, "SELECT micros FROM site_quarters") > 0);
}

namespace {

/// Sizes of the files set aside, their log files left out.
std::vector<std::uintmax_t> setAsideIn(const Scratch& scratch) {
    std::vector<std::uintmax_t> sizes;
    for (const auto& entry : std::filesystem::directory_iterator(scratch.path()))
        if (entry.path().filename().string().starts_with("p.db.corrupt-"))
            sizes.push_back(entry.file_size());
    return sizes;
}

} // namespace

TEST_CASE("a file that is no database is set aside, and a fresh one begun") {
    const Scratch scratch;
    const auto file = scratch / "p.db";
    std::ofstream(file) << std::string(9000, 'x');
    const pageviews::test::CapturedLog log;
    write(*opened(file), {pageEvent("/")});
    CHECK(numberIn(file, "SELECT count(*) FROM recent") == 1);
    CHECK(setAsideIn(scratch) == std::vector<std::uintmax_t>{9000});
    CHECK(log.count("is not a sound database") == 1);
}

TEST_CASE("so is a database whose schema is damaged behind a sound header") {
    const Scratch scratch;
    const auto file = scratch / "p.db";
    write(*opened(file), {pageEvent("/")});
    {
        std::fstream damage(file, std::ios::binary | std::ios::in | std::ios::out);
        damage.seekp(100);
        damage << std::string(3996, '\xa5');
    }
    const pageviews::test::CapturedLog log;
    write(*opened(file), {pageEvent("/"), pageEvent("/")});
    CHECK(numberIn(file, "SELECT count(*) FROM recent") == 2);
    CHECK(setAsideIn(scratch).size() == 1);
    CHECK(log.count("is not a sound database") == 1);
}

TEST_CASE("a database of a newer version is refused and left as it is") {
    const Scratch scratch;
    const auto file = scratch / "p.db";
    opened(file).reset();
    auto database = Database::open(file, Access::readWrite, 100ms);
    REQUIRE(database);
    REQUIRE(database->execute("PRAGMA user_version = 999"));
    const auto store = Store::open(file, {});
    REQUIRE_FALSE(store);
    CHECK(store.error() == Error::unsupported);
    CHECK(database->integer("PRAGMA user_version") == 999);
}

TEST_CASE("a store knows when its file has gone or been replaced") {
    const Scratch scratch;
    const auto file = scratch / "p.db";
    auto store = opened(file);
    CHECK(store->isInPlace());
    std::filesystem::rename(file, scratch / "moved.db");
    CHECK_FALSE(store->isInPlace());
    std::ofstream(file) << "";
    CHECK_FALSE(store->isInPlace());
}
