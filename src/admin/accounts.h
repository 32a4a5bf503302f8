#pragma once

#include "admin/account_file.h"
#include "admin/password.h"
#include "base/secret.h"

#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace reef::admin {

/// Who may use the panel, and how the first of them comes to be. There is no default password: a
/// server without accounts offers a link that can be used once, and only whoever reads its terminal
/// or log knows it. The command line (`atoll user add`, `atoll passwd`) uses the same functions on
/// the same file.
///
/// All members may be called from any thread. All of them touch the disk, and those that take a
/// password hash it for hundreds of milliseconds: on workers, never on a loop.
class Accounts {
public:
    /// `file` is `data/accounts.json`; its directory exists. `rounds` is what a new hash costs;
    /// only tests lower it.
    explicit Accounts(std::string file, std::uint32_t rounds = kPasswordRounds);

    /// The accounts as they stand on disk now.
    AccountsResult<std::vector<Account>> list() const { return file_.read(); }

    /// The account of this name, if there is one.
    AccountsResult<std::optional<Account>> find(std::string_view name) const;

    /// At start: when no account exists, makes the token of the one-time link and returns its text,
    /// to be printed as `http://<panel>/setup?token=<text>`. Only its hash is kept, in memory: a
    /// restart before it was used makes a new one. Nothing when accounts exist.
    AccountsResult<std::optional<std::string>> offerSetup();

    /// Whether this is the token of the link that is on offer. Does not use it up; touches no disk.
    bool isSetupToken(std::string_view token) const;

    /// Uses the link: makes the first account. Of several at the same time one succeeds. What is
    /// wrong with name or password leaves the link usable.
    AccountsResult<Account> setUp(std::string_view token, std::string_view name,
                                  std::string_view password);

    /// Makes another account.
    AccountsResult<Account> add(std::string_view name, std::string_view password);

    /// Gives an account another password; sessions begun with the old one end (see credentialOf).
    AccountsResult<Account> changePassword(std::string_view name, std::string_view password);

    /// The account, when the password is its password. An unknown name takes as long as a wrong
    /// password.
    AccountsResult<std::optional<Account>> verify(std::string_view name,
                                                  std::string_view password) const;

private:
    enum class Order : std::uint8_t { first, another };
    AccountsResult<Account> make(std::string_view name, std::string_view password, Order order);

    AccountFile file_;
    std::uint32_t rounds_;
    std::string nobody_; ///< the hash that an unknown name is checked against

    mutable std::mutex mutex_;
    std::optional<Digest> setup_; // guarded by mutex_: the hash of the token on offer
};

/// What a session remembers of the account that began it. It changes with the password, so that a
/// session outlives neither its account nor a change of the password.
Digest credentialOf(const Account& account);

} // namespace reef::admin
