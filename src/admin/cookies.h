#pragma once

#include "http/header_list.h"

#include <string>
#include <string_view>
#include <vector>

namespace reef::admin {

/// All values of the cookie of this name, in the order in which they came, at most four: a site on
/// the same host can set cookies of our name for other paths, and must not push ours out. Only
/// values that could be ours (base64url) are taken.
std::vector<std::string_view> cookieValues(const http::HeaderList& fields, std::string_view name);

/// A Set-Cookie value: for this browser session, all paths, never for scripts, never sent along
/// from another site (RFC 6265bis 4.1.2). `secure`: only over TLS. The prefix `__Host-` cannot be
/// used: it asks for TLS, and the panel's own listener is plain HTTP on the loopback interface.
std::string setCookie(std::string_view name, std::string_view value, bool secure);

/// One that removes it.
std::string removeCookie(std::string_view name, bool secure);

} // namespace reef::admin
