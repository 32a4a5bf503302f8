#include "app/hash_command.h"

#include "app/password_prompt.h"
#include "base/password_hash.h"

#include <cstdio>

namespace reef::app {

int printHash() {
    const auto password = newPassword();
    if (!password) return 1;
    if (password->empty()) {
        std::fputs("atoll: expected a password\n", stderr);
        return 1;
    }
    std::puts(hashPassword(*password, kSitePasswordRounds).c_str());
    return 0;
}

} // namespace reef::app
