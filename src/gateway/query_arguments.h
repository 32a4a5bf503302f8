#pragma once

#include "http/method.h"

#include <string>
#include <string_view>
#include <vector>

namespace reef::gateway {

/// The command line that a query makes (RFC 3875 4.4): the words of `?a+b+c`, decoded, when GET or
/// HEAD has a query without a bare `=`. Empty when it makes none; also when a word cannot be given
/// as an argument (a broken escape, a NUL), for then there must be none at all. Pure.
std::vector<std::string> queryArguments(http::Method method, std::string_view query);

} // namespace reef::gateway
