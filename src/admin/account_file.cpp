#include "admin/account_file.h"

#include "admin/password.h"
#include "base/fd.h"
#include "base/text.h"
#include "base/write_all.h"

#include <Poco/Dynamic/Var.h>
#include <Poco/Exception.h>
#include <Poco/JSON/Array.h>
#include <Poco/JSON/Object.h>
#include <Poco/JSON/Parser.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <sstream>

namespace reef::admin {
namespace {

constexpr int kVersion = 1;
constexpr std::size_t kMostFileBytes = 1U << 20U;

std::unexpected<AccountsError> damaged(std::string message) {
    return std::unexpected(AccountsError{AccountsError::Kind::damaged, std::move(message)});
}

std::unexpected<AccountsError> systemFault(std::string_view doing, const std::string& path) {
    const std::string why = std::error_code(errno, std::generic_category()).message();
    return std::unexpected(AccountsError{AccountsError::Kind::system,
                                         text::concat("Cannot ", doing, " ", path, ": ", why)});
}

AccountsResult<Account> accountIn(const Poco::Dynamic::Var& entry) {
    if (entry.type() != typeid(Poco::JSON::Object::Ptr)) return damaged("an account is no object");
    const auto object = entry.extract<Poco::JSON::Object::Ptr>();
    const auto name = object->get("name");
    const auto password = object->get("password");
    const auto created = object->get("created");
    if (!name.isString() || !isAccountName(name.extract<std::string>()))
        return damaged("an account has no valid name");
    const auto& who = name.extract<std::string>();
    if (!password.isString() || !isPasswordHash(password.extract<std::string>()))
        return damaged(text::concat("account ", who, " has no valid password hash"));
    if (!created.isInteger()) return damaged(text::concat("account ", who, " has no valid date"));
    return Account{who, password.extract<std::string>(), created.convert<std::int64_t>()};
}

AccountsResult<std::vector<Account>> accountsIn(const Poco::JSON::Object& root) {
    const auto version = root.get("version");
    if (!version.isInteger()) return damaged("no version");
    if (version.convert<int>() != kVersion) return damaged("written by another version of Atoll");
    const auto list = root.getArray("accounts");
    if (list.isNull()) return damaged("no list of accounts");
    std::vector<Account> accounts;
    for (const auto& entry : *list) {
        auto account = accountIn(entry);
        if (!account) return std::unexpected(account.error());
        if (isNameIn(accounts, account->name))
            return damaged(text::concat("account ", account->name, " stands there twice"));
        accounts.push_back(std::move(*account));
    }
    return accounts;
}

AccountsResult<std::string> contentOf(const Fd& file, const std::string& path) {
    std::string content;
    char piece[4096];
    for (;;) {
        const ssize_t got = ::read(file.get(), piece, sizeof piece);
        if (got == 0) return content;
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return systemFault("read", path);
        content.append(piece, static_cast<std::size_t>(got));
        if (content.size() > kMostFileBytes) return damaged("larger than 1 MiB");
    }
}

std::string directoryOf(const std::string& path) {
    const auto parent = std::filesystem::path(path).parent_path();
    return parent.empty() ? "." : parent.string();
}

/// What root makes in a directory of another user belongs to that user.
bool giveToOwner(const Fd& file, const Fd& directory) {
    if (geteuid() != 0) return true;
    struct stat owner{};
    if (fstat(directory.get(), &owner) != 0) return false;
    return fchown(file.get(), owner.st_uid, owner.st_gid) == 0;
}

/// Removes the half-written file on every way out but success.
struct Unfinished {
    explicit Unfinished(std::string file) : path(std::move(file)) {}
    ~Unfinished() {
        if (!path.empty()) ::unlink(path.c_str());
    }
    Unfinished(const Unfinished&) = delete;
    Unfinished& operator=(const Unfinished&) = delete;
    std::string path;
};

} // namespace

bool isAccountName(std::string_view name) noexcept {
    if (name.empty() || name.size() > 64) return false;
    const auto plain = [](char c) { return text::isDigit(c) || (c >= 'a' && c <= 'z'); };
    return plain(name[0]) && std::ranges::all_of(name, [&](char c) {
               return plain(c) || c == '.' || c == '_' || c == '-' || c == '@';
           });
}

bool isNameIn(const std::vector<Account>& accounts, std::string_view name) noexcept {
    return std::ranges::any_of(accounts, [&](const Account& a) { return a.name == name; });
}

std::string formatAccounts(const std::vector<Account>& accounts) {
    Poco::JSON::Array list;
    for (const Account& account : accounts) {
        Poco::JSON::Object entry(Poco::JSON_PRESERVE_KEY_ORDER);
        entry.set("name", account.name);
        entry.set("password", account.password);
        entry.set("created", account.created);
        list.add(entry);
    }
    Poco::JSON::Object root(Poco::JSON_PRESERVE_KEY_ORDER);
    root.set("version", kVersion);
    root.set("accounts", list);
    std::ostringstream out;
    root.stringify(out, 2);
    out << '\n';
    return out.str();
}

AccountsResult<std::vector<Account>> parseAccounts(std::string_view text) {
    try {
        Poco::JSON::Parser parser;
        parser.setDepth(8);
        const auto root = parser.parse(std::string(text));
        if (root.type() != typeid(Poco::JSON::Object::Ptr)) return damaged("not a JSON object");
        return accountsIn(*root.extract<Poco::JSON::Object::Ptr>());
    } catch (const Poco::Exception& exception) {
        return damaged(text::concat("not valid: ", exception.displayText()));
    }
}

AccountsResult<std::vector<Account>> AccountFile::read() const {
    const Fd file(::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    if (!file && errno == ENOENT) return std::vector<Account>();
    if (!file) return systemFault("open", path_);
    struct stat facts{};
    if (fstat(file.get(), &facts) != 0) return systemFault("examine", path_);
    if (!S_ISREG(facts.st_mode)) return damaged(path_ + " is not a file");
    if ((facts.st_mode & 077U) != 0)
        return damaged(path_ + " is open to other users. If you trust it, run: chmod 600 " + path_);
    auto content = contentOf(file, path_);
    if (!content) return std::unexpected(content.error());
    auto accounts = parseAccounts(*content);
    if (!accounts)
        return damaged(text::concat(path_, " is damaged: ", accounts.error().message,
                                    ". Restore it from a backup, or remove it to start anew."));
    return accounts;
}

AccountsResult<void> AccountFile::update(
    const std::function<AccountsResult<void>(std::vector<Account>&)>& change) const {
    const std::string lockPath = path_ + ".lock";
    const Fd lock(::open(lockPath.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    const Fd directory(::open(directoryOf(path_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!lock || !directory || !giveToOwner(lock, directory)) return systemFault("lock", lockPath);
    while (flock(lock.get(), LOCK_EX) != 0)
        if (errno != EINTR) return systemFault("lock", lockPath);

    auto accounts = read();
    if (!accounts) return std::unexpected(accounts.error());
    if (auto changed = change(*accounts); !changed) return changed;
    return replace(formatAccounts(*accounts));
}

AccountsResult<void> AccountFile::replace(std::string_view text) const {
    Unfinished fresh(path_ + ".new");
    ::unlink(fresh.path.c_str()); // of a run that was cut off; we hold the lock
    const Fd file(
        ::open(fresh.path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
    const Fd directory(::open(directoryOf(path_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!file || !directory) return systemFault("make", fresh.path);
    if (!giveToOwner(file, directory) || !writeAll(file.get(), bytesOf(text)) ||
        fsync(file.get()) != 0)
        return systemFault("write", fresh.path);
    if (::rename(fresh.path.c_str(), path_.c_str()) != 0) return systemFault("replace", path_);
    fresh.path.clear();
    if (fsync(directory.get()) != 0) return systemFault("save", path_);
    return {};
}

} // namespace reef::admin
