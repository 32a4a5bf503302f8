#include "pageviews/database.h"

#include <sqlite3.h>

namespace reef::pageviews {

namespace {

Error errorOf(int code, int systemError = 0) noexcept {
    switch (code & 0xff) { // the primary code of an extended one
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return Error::unavailable;
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
        return Error::malformed;
    case SQLITE_INTERRUPT:
        return Error::timedOut;
    case SQLITE_FULL:
        return {Error::system, ENOSPC};
    case SQLITE_READONLY:
    case SQLITE_PERM:
        return {Error::system, EACCES};
    case SQLITE_CANTOPEN:
        if (systemError == ENOENT) return Error::notFound;
        return {Error::system, systemError != 0 ? systemError : EIO};
    case SQLITE_IOERR:
        return {Error::system, systemError != 0 ? systemError : EIO};
    case SQLITE_NOMEM:
        return {Error::system, ENOMEM};
    default:
        return Error::failed;
    }
}

/// The failure a connection has just met.
Error lastError(sqlite3* connection, int code) noexcept {
    return errorOf(code, sqlite3_system_errno(connection));
}

constexpr const char* kCommonPragmas = "PRAGMA temp_store = MEMORY; PRAGMA cache_size = -2048;";

/// auto_vacuum speaks only to a file that is still empty: freed pages can then be given back in
/// small steps.
constexpr const char* kWriterPragmas =
    "PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL;"
    "PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 4194304;";

} // namespace

void Statement::Finalizer::operator()(sqlite3_stmt* statement) const noexcept {
    sqlite3_finalize(statement);
}

void Statement::restart() noexcept {
    sqlite3_reset(statement_.get());
}

int Statement::bindOne(int position, std::int64_t value) noexcept {
    return sqlite3_bind_int64(statement_.get(), position, value);
}

int Statement::bindOne(int position, std::string_view value) noexcept {
    const char* bytes = value.empty() ? "" : value.data(); // a null pointer would bind NULL
    return sqlite3_bind_text64(statement_.get(), position, bytes, value.size(), SQLITE_STATIC,
                               SQLITE_UTF8);
}

Status Statement::status(int code) {
    return code == SQLITE_OK ? Status() : fail(errorOf(code));
}

Result<bool> Statement::step() {
    const int code = sqlite3_step(statement_.get());
    if (code == SQLITE_ROW) return true;
    if (code == SQLITE_DONE) {
        restart();
        return false;
    }
    const Error error = lastError(sqlite3_db_handle(statement_.get()), code);
    restart();
    return fail(error);
}

bool Statement::isNull(int column) const noexcept {
    return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

std::int64_t Statement::integer(int column) const noexcept {
    return sqlite3_column_int64(statement_.get(), column);
}

std::string_view Statement::text(int column) const noexcept {
    const auto* bytes =
        reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
    if (bytes == nullptr) return {};
    return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

void Database::Closer::operator()(sqlite3* connection) const noexcept {
    sqlite3_close_v2(connection);
}

Result<Database> Database::open(const std::string& file, Access access,
                                std::chrono::milliseconds busyTimeout) {
    const int mode = access == Access::readOnly ? SQLITE_OPEN_READONLY
                                                : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    sqlite3* connection = nullptr;
    const int code =
        sqlite3_open_v2(file.c_str(), &connection, mode | SQLITE_OPEN_NOMUTEX, nullptr);
    Database database(connection); // an open that fails has made one all the same
    if (code != SQLITE_OK)
        return fail(connection == nullptr ? Error(Error::system, ENOMEM)
                                          : lastError(connection, code));

    sqlite3_extended_result_codes(connection, 1);
    sqlite3_busy_timeout(connection, static_cast<int>(busyTimeout.count()));
    if (auto set = database.execute(kCommonPragmas); !set) return fail(set.error());
    if (access == Access::readWrite) {
        if (auto set = database.execute(kWriterPragmas); !set) return fail(set.error());
    }
    // Opening reads nothing; this does, and so tells a database from any other file.
    if (auto version = database.integer("PRAGMA schema_version"); !version)
        return fail(version.error());
    return database;
}

Status Database::execute(const char* sql) {
    const int code = sqlite3_exec(connection_.get(), sql, nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) return fail(lastError(connection_.get(), code));
    return {};
}

Result<Statement> Database::prepare(std::string_view sql) {
    sqlite3_stmt* prepared = nullptr;
    const int code = sqlite3_prepare_v3(connection_.get(), sql.data(), static_cast<int>(sql.size()),
                                        SQLITE_PREPARE_PERSISTENT, &prepared, nullptr);
    if (code != SQLITE_OK) return fail(lastError(connection_.get(), code));
    Statement statement;
    statement.statement_.reset(prepared);
    return statement;
}

Status
Database::prepareInto(std::initializer_list<std::pair<Statement*, std::string_view>> statements) {
    for (const auto& [statement, sql] : statements) {
        auto prepared = prepare(sql);
        if (!prepared) return fail(prepared.error());
        *statement = std::move(*prepared);
    }
    return {};
}

Result<std::int64_t> Database::integer(std::string_view sql) {
    auto statement = prepare(sql);
    if (!statement) return fail(statement.error());
    const auto row = statement->step();
    if (!row) return fail(row.error());
    if (!*row) return fail(Error::notFound);
    return statement->integer(0);
}

Status Database::migrate(std::span<const char* const> migrations) {
    const auto latest = static_cast<std::int64_t>(migrations.size());
    if (const auto now = integer("PRAGMA user_version"); now && *now == latest) return {};
    auto transaction =
        Transaction::begin(*this, Transaction::Kind::write); // two servers may start at once
    if (!transaction) return fail(transaction.error());
    const auto version = integer("PRAGMA user_version");
    if (!version) return fail(version.error());
    if (*version < 0 || *version > latest) return fail(Error::unsupported);
    for (const char* migration : migrations.subspan(static_cast<std::size_t>(*version))) {
        if (auto done = execute(migration); !done) return done;
    }
    const std::string mark = "PRAGMA user_version = " + std::to_string(latest);
    if (auto done = execute(mark.c_str()); !done) return done;
    return transaction->commit();
}

std::int64_t Database::lastId() const noexcept {
    return sqlite3_last_insert_rowid(connection_.get());
}

std::string Database::lastMessage() const {
    return sqlite3_errmsg(connection_.get());
}

void Database::interrupt() noexcept {
    sqlite3_interrupt(connection_.get());
}

Result<Transaction> Transaction::begin(Database& database, Kind kind) {
    const auto begun = database.execute(kind == Kind::write ? "BEGIN IMMEDIATE" : "BEGIN");
    if (!begun) return fail(begun.error());
    return Transaction(database);
}

Transaction::~Transaction() {
    // A rollback that fails means SQLite has already rolled back by itself.
    if (database_ != nullptr) (void)database_->execute("ROLLBACK");
}

Status Transaction::commit() {
    if (auto done = database_->execute("COMMIT"); !done) return done;
    database_ = nullptr;
    return {};
}

} // namespace reef::pageviews
