#pragma once

#include <string>
#include <string_view>

namespace reef::compose {

/// The functions of ap_expr that make a text out of a text: tolower, toupper, escape, unescape,
/// base64, unbase64, md5, sha1, ldap. Those that this server has nothing for (note, osenv, resp)
/// are empty, and so is a name that is none of them.
std::string applyTextFunction(std::string_view name, std::string_view argument);

} // namespace reef::compose
