#include "process/identity.h"

#include "base/text.h"

#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <grp.h>
#include <limits>
#include <optional>
#include <pwd.h>

namespace reef::process {

namespace {

constexpr std::size_t kMaxRecordBytes = 1U << 20U;

/// Calls one of the reentrant lookups with more and more room. The value is null when there is no
/// such record.
template<class Record, class Lookup>
Result<Record*> lookUp(Record& record, std::vector<char>& room, Lookup call) {
    for (room.resize(1024);; room.resize(room.size() * 2)) {
        Record* found = nullptr;
        const int code = call(&record, room.data(), room.size(), &found);
        if (code == ERANGE && room.size() < kMaxRecordBytes) continue;
        if (found != nullptr) return found;
        // "Not found" is no error in POSIX, and one of these in practice (getpwnam(3)).
        if (code == 0 || code == ENOENT || code == ESRCH) return nullptr;
        return fail({Error::system, code});
    }
}

std::optional<unsigned> numberOf(std::string_view text) {
    const auto number = text::parseDecimal(text);
    // The largest number means "leave as it is" to the kernel.
    if (!number || *number >= std::numeric_limits<unsigned>::max()) return std::nullopt;
    return static_cast<unsigned>(*number);
}

struct Account {
    uid_t user;
    gid_t group;
    std::string name; ///< empty for a number without an account
};

Result<Account> findAccount(std::string_view user) {
    passwd record{};
    std::vector<char> room;
    const std::string name(user);
    auto found =
        lookUp(record, room, [&](auto... rest) { return ::getpwnam_r(name.c_str(), rest...); });
    const auto number = numberOf(user);
    if (found && *found == nullptr && number)
        found = lookUp(record, room, [&](auto... rest) { return ::getpwuid_r(*number, rest...); });
    if (!found) return fail(found.error());
    if (*found != nullptr) return Account{record.pw_uid, record.pw_gid, record.pw_name};
    if (number) return Account{*number, *number, {}};
    return fail(Error::notFound);
}

Result<gid_t> findGroup(std::string_view group) {
    ::group record{};
    std::vector<char> room;
    const std::string name(group);
    const auto found =
        lookUp(record, room, [&](auto... rest) { return ::getgrnam_r(name.c_str(), rest...); });
    if (!found) return fail(found.error());
    if (*found != nullptr) return record.gr_gid;
    if (const auto number = numberOf(group)) return *number;
    return fail(Error::notFound);
}

std::vector<gid_t> groupsOf(const std::string& account, gid_t group) {
    if (account.empty()) return {group};
    int count = 64;
    std::vector<gid_t> groups(static_cast<std::size_t>(count));
    while (::getgrouplist(account.c_str(), group, groups.data(), &count) < 0)
        groups.resize(static_cast<std::size_t>(count));
    groups.resize(static_cast<std::size_t>(count));
    return groups;
}

} // namespace

bool maySwitchIdentity() noexcept {
    return ::geteuid() == 0;
}

Result<Identity> findIdentity(std::string_view user, std::string_view group) {
    const auto account = findAccount(user);
    if (!account) return fail(account.error());
    gid_t primary = account->group;
    if (!group.empty()) {
        const auto found = findGroup(group);
        if (!found) return fail(found.error());
        primary = *found;
    }
    return Identity{account->user, primary, groupsOf(account->name, primary),
                    account->name.empty() ? std::string(user) : account->name};
}

} // namespace reef::process
