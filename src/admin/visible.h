#pragma once

#include <string>
#include <string_view>

namespace reef::admin {

/// Any bytes as text that a reader sees all of, in UTF-8: bytes that are not UTF-8 and control
/// bytes become "\x1b", code points that show nothing or turn the direction of writing become
/// "\u{202e}". So a path cannot read as another one. Markup stays what it is: Html escapes it.
std::string visible(std::string_view text);

} // namespace reef::admin
