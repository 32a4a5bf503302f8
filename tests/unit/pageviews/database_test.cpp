#include "fixture.h"
#include "pageviews/database.h"

#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <thread>

using namespace reef;
using namespace reef::pageviews;
using namespace std::chrono_literals;
using reef::pageviews::test::Scratch;

namespace {

constexpr const char* kFirst[] = {"CREATE TABLE a(x INTEGER, t TEXT)"};
constexpr const char* kBoth[] = {"CREATE TABLE a(x INTEGER, t TEXT)",
                                 "ALTER TABLE a ADD COLUMN y INTEGER DEFAULT 7"};

Database opened(const std::string& file) {
    auto database = Database::open(file, Access::readWrite, 100ms);
    REQUIRE(database);
    return std::move(*database);
}

} // namespace

TEST_CASE("a statement takes values and gives them back, whatever bytes a text has") {
    const Scratch scratch;
    auto database = opened(scratch / "a.db");
    REQUIRE(database.migrate(kFirst));
    auto insert = database.prepare("INSERT INTO a VALUES(?1, ?2)");
    REQUIRE(insert);
    const std::string_view text("a\0'b\xff", 5);
    REQUIRE(insert->run(std::int64_t{-5}, text));
    REQUIRE(insert->run(std::int64_t{6}, std::string_view()));
    CHECK(database.lastId() == 2);

    auto select = database.prepare("SELECT x, t FROM a ORDER BY x");
    REQUIRE(select);
    REQUIRE(select->step() == true);
    CHECK(select->integer(0) == -5);
    CHECK(select->text(1) == text);
    REQUIRE(select->step() == true);
    CHECK(select->text(1).empty());
    CHECK_FALSE(select->isNull(1));
    REQUIRE(select->step() == false);
}

TEST_CASE("a new database has the pragmas it needs") {
    const Scratch scratch;
    auto database = opened(scratch / "a.db");
    REQUIRE(database.migrate(kFirst));
    CHECK(database.integer("PRAGMA auto_vacuum") == 2); // incremental
    CHECK(database.integer("PRAGMA synchronous") == 1); // normal
    CHECK(database.integer("PRAGMA busy_timeout") == 100);
    auto mode = database.prepare("PRAGMA journal_mode");
    REQUIRE(mode);
    REQUIRE(mode->step() == true);
    CHECK(mode->text(0) == "wal");
}

TEST_CASE("migrations run once each, in order, all or none") {
    const Scratch scratch;
    const auto file = scratch / "a.db";
    REQUIRE(opened(file).migrate(kFirst));
    REQUIRE(opened(file).execute("INSERT INTO a VALUES(1, 'kept')"));
    REQUIRE(opened(file).migrate(kBoth));
    REQUIRE(opened(file).migrate(kBoth));
    CHECK(opened(file).integer("SELECT y FROM a WHERE t = 'kept'") == 7);

    constexpr const char* broken[] = {kBoth[0], kBoth[1], "CREATE TABLE b(x)", "no SQL at all"};
    CHECK_FALSE(opened(file).migrate(broken));
    CHECK(opened(file).integer("PRAGMA user_version") == 2);
    CHECK(opened(file).integer("SELECT count(*) FROM sqlite_schema WHERE name = 'b'") == 0);
}

TEST_CASE("a database of a newer version is left alone") {
    const Scratch scratch;
    const auto file = scratch / "a.db";
    REQUIRE(opened(file).migrate(kBoth));
    const auto outcome = opened(file).migrate(kFirst);
    REQUIRE_FALSE(outcome);
    CHECK(outcome.error() == Error::unsupported);
    CHECK(opened(file).integer("PRAGMA user_version") == 2);
}

TEST_CASE("each way in which a file cannot be opened has its own error") {
    const Scratch scratch;
    const auto missing = Database::open(scratch / "missing.db", Access::readOnly, 100ms);
    REQUIRE_FALSE(missing);
    CHECK(missing.error() == Error::notFound);

    const auto noDirectory = Database::open(scratch / "no/such/a.db", Access::readWrite, 100ms);
    REQUIRE_FALSE(noDirectory);
    CHECK(noDirectory.error() == Error::notFound);

    const auto directory = Database::open(scratch.path().string(), Access::readWrite, 100ms);
    REQUIRE_FALSE(directory);
    CHECK(directory.error() == Error::system);

    std::ofstream(scratch / "text.db") << std::string(5000, 'x');
    for (const auto access : {Access::readOnly, Access::readWrite}) {
        const auto text = Database::open(scratch / "text.db", access, 100ms);
        REQUIRE_FALSE(text);
        CHECK(text.error() == Error::malformed);
    }
}

TEST_CASE("a lock held elsewhere is waited for, then reported") {
    const Scratch scratch;
    auto holder = opened(scratch / "a.db");
    auto waiter = opened(scratch / "a.db");
    auto lock = Transaction::begin(holder, Transaction::Kind::write);
    REQUIRE(lock);
    const auto start = std::chrono::steady_clock::now();
    const auto refused = Transaction::begin(waiter, Transaction::Kind::write);
    REQUIRE_FALSE(refused);
    CHECK(refused.error() == Error::unavailable);
    CHECK(std::chrono::steady_clock::now() - start >= 90ms);
    REQUIRE(lock->commit());
    CHECK(Transaction::begin(waiter, Transaction::Kind::write));
}

TEST_CASE("a transaction that is not committed leaves nothing") {
    const Scratch scratch;
    auto database = opened(scratch / "a.db");
    REQUIRE(database.migrate(kFirst));
    {
        auto transaction = Transaction::begin(database, Transaction::Kind::write);
        REQUIRE(transaction);
        REQUIRE(database.execute("INSERT INTO a VALUES(1, '')"));
    }
    CHECK(database.integer("SELECT count(*) FROM a") == 0);
}

TEST_CASE("a long read ends when it is interrupted") {
    const Scratch scratch;
    auto database = opened(scratch / "a.db");
    std::thread interrupter([&database] {
        std::this_thread::sleep_for(100ms);
        database.interrupt();
    });
    const auto counted = database.integer(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n");
    interrupter.join();
    REQUIRE_FALSE(counted);
    CHECK(counted.error() == Error::timedOut);
}
