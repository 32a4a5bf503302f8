#pragma once

#include "base/result.h"

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

namespace reef::process {

/// Who a process runs as. A plain value.
struct Identity {
    uid_t user = 0;
    gid_t group = 0;
    std::vector<gid_t> groups; ///< supplementary groups, the whole list
    std::string name;          ///< for log lines

    friend bool operator==(const Identity&, const Identity&) = default;
};

/// Whether this process may give its children another identity: it is root.
bool maySwitchIdentity() noexcept;

/// Looks a user up by name or number in the machine's user database. The group is `group`, by name
/// or number, or the user's own (for a number without an account the group of the same number); the
/// supplementary groups are the account's. Blocks: for the start only. Errors: notFound, system.
Result<Identity> findIdentity(std::string_view user, std::string_view group = {});

} // namespace reef::process
