#pragma once

#include "base/secret.h"

#include <string>
#include <string_view>

namespace reef::admin {

/// Makes and checks the hidden token of every form: a keyed hash of what the browser holds in a
/// cookie (the session's id, or the form cookie of who is not signed in). A page of another origin
/// can send our cookie along, and can neither read it nor make the token. The key lives as long as
/// the panel: forms do not outlast a restart.
class CsrfKey {
public:
    CsrfKey() : key_(bytesOf(randomSecret())) {}

    std::string tokenFor(std::string_view binding) const {
        return base64Url(bytesOf(key_.of(binding)));
    }

    /// An empty binding has no token.
    bool matches(std::string_view token, std::string_view binding) const {
        return !binding.empty() && sameSecret(token, tokenFor(binding));
    }

private:
    HmacSha256 key_;
};

} // namespace reef::admin
