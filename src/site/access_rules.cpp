#include "site/access_rules.h"

namespace reef::site {

bool AccessRules::admit(std::string_view remoteAddress) const noexcept {
    const auto host = io::parseHost(remoteAddress);
    if (!host) return allow.empty();
    if (!allow.empty() && !io::anyContains(allow, *host)) return false;
    return !io::anyContains(deny, *host);
}

} // namespace reef::site
