#pragma once

#include "base/result.h"

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

struct sqlite3;
struct sqlite3_stmt;

namespace reef::pageviews {

/// One prepared statement: bind, step through the rows, read the columns. Positions of parameters
/// count from 1, columns from 0, as in SQLite. Must not outlive its database; a statement and its
/// database belong to one thread at a time.
class Statement {
public:
    Statement() noexcept = default;

    /// Binds all parameters in order and starts anew: `insert.bind(7, "text", std::int64_t{3})`.
    /// Texts are views: they must live until the last step.
    template<class... Values>
    Status bind(const Values&... values) {
        restart();
        int position = 0;
        int code = 0; // of the first failure
        ((code = code != 0 ? code : bindOne(++position, values)), ...);
        return status(code);
    }

    /// True: a row can be read. False: done, and the statement is ready for another bind().
    Result<bool> step();

    /// Runs a statement that returns no rows.
    template<class... Values>
    Status run(const Values&... values) {
        if (auto bound = bind(values...); !bound) return bound;
        const auto row = step();
        return row ? Status() : fail(row.error());
    }

    bool isNull(int column) const noexcept;
    /// 0 for null.
    std::int64_t integer(int column) const noexcept;
    /// Valid until the next step.
    std::string_view text(int column) const noexcept;

    /// Ends a read early; otherwise its snapshot would stay open.
    void restart() noexcept;

private:
    friend class Database;
    struct Finalizer {
        void operator()(sqlite3_stmt* statement) const noexcept;
    };

    int bindOne(int position, std::int64_t value) noexcept;
    int bindOne(int position, std::string_view value) noexcept;
    static Status status(int code);

    std::unique_ptr<sqlite3_stmt, Finalizer> statement_;
};

/// How a database file is opened.
enum class Access : std::uint8_t { readWrite, readOnly };

/// A connection to one SQLite file, closed when destroyed. Used by one thread at a time, but for
/// interrupt(). Failures are these:
///   unavailable  another connection holds the lock for longer than the busy timeout
///   malformed    the file is no database, or a broken one
///   unsupported  it was written by a newer version (migrate)
///   notFound     there is no such file, and it is not to be made
///   timedOut     interrupt() was called
///   system       the disk is full (ENOSPC), not writable, or fails
class Database {
public:
    /// Opens `file`; with readWrite it is made when absent. Sets the pragmas every connection
    /// wants: busy timeout first, so that the others wait for a lock too; write-ahead log;
    /// synchronous=NORMAL, which may lose the last transactions in a power cut, but never the file;
    /// 2 MiB of page cache.
    static Result<Database> open(const std::string& file, Access access,
                                 std::chrono::milliseconds busyTimeout);

    /// Runs statements without parameters, and without rows that matter.
    Status execute(const char* sql);
    Result<Statement> prepare(std::string_view sql);

    /// Prepares several: `prepareInto({{&insert_, sql::kInsert}, {&trim_, sql::kTrim}})`.
    Status prepareInto(std::initializer_list<std::pair<Statement*, std::string_view>> statements);

    /// The first column of the first row, for pragmas and counts. No row is `notFound`.
    Result<std::int64_t> integer(std::string_view sql);

    /// Brings the schema to version `migrations.size()`: runs those whose number (from 1) is above
    /// the file's `user_version`, all or none. A file beyond that is `unsupported` and not touched.
    Status migrate(std::span<const char* const> migrations);

    /// The rowid of the last insert.
    std::int64_t lastId() const noexcept;

    /// SQLite's own words for the last failure, for the log.
    std::string lastMessage() const;

    /// Ends the statement that runs, which then fails with `timedOut`. Any thread, while the object
    /// lives.
    void interrupt() noexcept;

private:
    struct Closer {
        void operator()(sqlite3* connection) const noexcept;
    };
    explicit Database(sqlite3* connection) noexcept : connection_(connection) {}

    std::unique_ptr<sqlite3, Closer> connection_;
};

/// A transaction that is rolled back unless it is committed.
class Transaction {
public:
    enum class Kind : std::uint8_t { write, read };

    /// The lock of a write is taken here, so that a conflict shows before the work, not after it.
    static Result<Transaction> begin(Database& database, Kind kind);

    Transaction(Transaction&& other) noexcept
        : database_(std::exchange(other.database_, nullptr)) {}
    Transaction& operator=(Transaction&&) = delete;
    ~Transaction();

    /// On failure nothing has been written.
    Status commit();

private:
    explicit Transaction(Database& database) noexcept : database_(&database) {}
    Database* database_;
};

} // namespace reef::pageviews
