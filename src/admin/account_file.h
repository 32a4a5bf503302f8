#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace reef::admin {

/// Somebody who may use the panel.
struct Account {
    std::string name;         ///< see isAccountName
    std::string password;     ///< its hash, see password.h
    std::int64_t created = 0; ///< seconds since 1970
};

/// Why nothing came of it. `message` is a sentence for the person at the terminal or the form.
struct AccountsError {
    enum class Kind : std::uint8_t {
        refused, ///< what was asked for cannot be: a name taken, a weak password
        spent,   ///< the one-time link was used, or is none
        damaged, ///< the file is not what we wrote, or others could have written it: nobody gets in
        system,  ///< the disk or the rights do not allow it
    };
    Kind kind = Kind::refused;
    std::string message;
};

template<class T>
using AccountsResult = std::expected<T, AccountsError>;

/// 1 to 64 of a-z, 0-9, and, not at the start, `.`, `_`, `-`, `@`.
bool isAccountName(std::string_view name) noexcept;

/// Whether one of the accounts has this name.
bool isNameIn(const std::vector<Account>& accounts, std::string_view name) noexcept;

/// The text of the file: JSON, version 1, accounts in the order of their making.
std::string formatAccounts(const std::vector<Account>& accounts);

/// Strict: any key missing, of a wrong type or value, a name twice, another version is `damaged`,
/// with a message that says which.
AccountsResult<std::vector<Account>> parseAccounts(std::string_view text);

/// The accounts on disk (`data/accounts.json`), the only truth about them: the server and the
/// command line both work on it, at the same time if it comes to that. Mode 0600, replaced as a
/// whole (written beside it, synced, renamed). Blocks for a few disk writes; any thread.
class AccountFile {
public:
    explicit AccountFile(std::string path) : path_(std::move(path)) {}

    /// All accounts; none when there is no file. A file that others can read or write is `damaged`:
    /// what stands in it may be theirs.
    AccountsResult<std::vector<Account>> read() const;

    /// Reads, lets `change` alter the list, writes it back, all under the lock of
    /// `<path>.lock`. What `change` refuses is not written. As root the new file belongs to the
    /// owner of its directory, so that a server that runs as another user can read it.
    AccountsResult<void>
    update(const std::function<AccountsResult<void>(std::vector<Account>&)>& change) const;

    const std::string& path() const noexcept { return path_; }

private:
    AccountsResult<void> replace(std::string_view text) const;

    std::string path_;
};

} // namespace reef::admin
