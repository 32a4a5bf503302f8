#include "admin/accounts.h"

#include "base/text.h"

#include <algorithm>
#include <ctime>

namespace reef::admin {
namespace {

std::unexpected<AccountsError> refuse(std::string message) {
    return std::unexpected(AccountsError{AccountsError::Kind::refused, std::move(message)});
}

/// Names are told apart without case, as people do.
std::string nameFrom(std::string_view typed) {
    return text::toLower(text::trim(typed));
}

AccountsResult<void> check(std::string_view name, std::string_view password) {
    if (!isAccountName(name))
        return refuse("A name has 1 to 64 letters (a to z) or digits; dots, dashes, underscores "
                      "and @ may follow the first.");
    if (auto fault = faultOfPassword(password, name)) return refuse(std::move(*fault));
    return {};
}

std::unexpected<AccountsError> spent() {
    return std::unexpected(
        AccountsError{AccountsError::Kind::spent,
                      "This link is no longer valid: it works once, and until the server is "
                      "restarted."});
}

} // namespace

Accounts::Accounts(std::string file, std::uint32_t rounds)
    : file_(std::move(file)), rounds_(rounds),
      nobody_(text::concat("pbkdf2-sha256$", rounds, '$', base64Url(randomBytes(16)), '$',
                           base64Url(bytesOf(randomSecret())))) {}

AccountsResult<std::optional<Account>> Accounts::find(std::string_view name) const {
    auto accounts = file_.read();
    if (!accounts) return std::unexpected(accounts.error());
    const auto found = std::ranges::find(*accounts, name, &Account::name);
    if (found == accounts->end()) return std::nullopt;
    return std::move(*found);
}

AccountsResult<std::optional<std::string>> Accounts::offerSetup() {
    const auto accounts = file_.read();
    if (!accounts) return std::unexpected(accounts.error());
    if (!accounts->empty()) return std::nullopt;
    std::string token = base64Url(bytesOf(randomSecret()));
    const std::lock_guard lock(mutex_);
    setup_ = Sha256::of(token);
    return token;
}

bool Accounts::isSetupToken(std::string_view token) const {
    const Digest hash = Sha256::of(token);
    const std::lock_guard lock(mutex_);
    return setup_ && sameSecret(bytesOf(hash), bytesOf(*setup_));
}

AccountsResult<Account> Accounts::setUp(std::string_view token, std::string_view name,
                                        std::string_view password) {
    if (!isSetupToken(token)) return spent();
    auto account = make(name, password, Order::first);
    if (!account) return account;
    const std::lock_guard lock(mutex_);
    setup_.reset();
    return account;
}

AccountsResult<Account> Accounts::add(std::string_view name, std::string_view password) {
    return make(name, password, Order::another);
}

AccountsResult<Account> Accounts::make(std::string_view typedName, std::string_view password,
                                       Order order) {
    Account account{nameFrom(typedName), {}, std::time(nullptr)};
    if (auto good = check(account.name, password); !good) return std::unexpected(good.error());
    account.password = hashPassword(password, rounds_); // before the lock: it takes its time
    const auto added = file_.update([&](std::vector<Account>& accounts) -> AccountsResult<void> {
        if (order == Order::first && !accounts.empty()) return spent();
        if (isNameIn(accounts, account.name))
            return refuse(text::concat("There is an account ", account.name, " already."));
        accounts.push_back(account);
        return {};
    });
    if (!added) return std::unexpected(added.error());
    return account;
}

AccountsResult<Account> Accounts::changePassword(std::string_view typedName,
                                                 std::string_view password) {
    Account account{nameFrom(typedName), {}, 0};
    if (auto good = check(account.name, password); !good) return std::unexpected(good.error());
    account.password = hashPassword(password, rounds_);
    const auto changed = file_.update([&](std::vector<Account>& accounts) -> AccountsResult<void> {
        const auto found = std::ranges::find(accounts, account.name, &Account::name);
        if (found == accounts.end())
            return refuse(text::concat("There is no account ", account.name, "."));
        found->password = account.password;
        account.created = found->created;
        return {};
    });
    if (!changed) return std::unexpected(changed.error());
    return account;
}

AccountsResult<std::optional<Account>> Accounts::verify(std::string_view typedName,
                                                        std::string_view password) const {
    auto account = find(nameFrom(typedName));
    if (!account) return account;
    const std::string& stored = *account ? (*account)->password : nobody_;
    const bool right = verifyPassword(password, stored);
    if (!right) account->reset();
    return account;
}

Digest credentialOf(const Account& account) {
    return Sha256::of(account.password);
}

} // namespace reef::admin
