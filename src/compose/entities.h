#pragma once

#include <string>
#include <string_view>

namespace reef::compose {

/// Replaces the character references of HTML in an attribute's value by UTF-8: `&lt; &gt; &amp;
/// &quot; &apos;`, the names of Latin-1 (`&nbsp;` to `&yuml;`), `&#n;` and `&#xn;`. What is no such
/// reference stays as it is, also one to a control character. The result is `text` itself when
/// nothing had to change, else a view of `scratch`.
std::string_view decodeEntities(std::string_view text, std::string& scratch);

} // namespace reef::compose
