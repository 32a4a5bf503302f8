#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// Reading UTF-8 out of bytes that may be anything. Strict (Unicode 3.9, table 3-7): no overlong
/// forms, no surrogates, nothing above U+10FFFF.
namespace reef::utf8 {

struct CodePoint {
    char32_t value = 0;
    std::size_t length = 0; ///< in bytes; 0 when the text does not start with a code point
};

/// The code point at the front of `text`.
CodePoint first(std::string_view text) noexcept;

/// True when the whole text is UTF-8.
bool isValid(std::string_view text) noexcept;

/// A code point that shows nothing or changes how its neighbours are shown: controls, separators of
/// lines, marks of direction, invisible blanks. Such a one can make a path read as another, so it
/// stays escaped.
bool isHidden(char32_t value) noexcept;

/// Columns a visible code point takes in a terminal: 0 (combining), 1, or 2 (East Asian, emoji).
int columns(char32_t value) noexcept;

/// Columns of a whole text; a byte that is not UTF-8 counts as one.
std::size_t columns(std::string_view text) noexcept;

/// The longest front of `text` that is at most `limit` bytes and does not end within a code point.
std::string_view cut(std::string_view text, std::size_t limit) noexcept;

/// For a terminal: hidden code points and bytes that are not UTF-8 become \xHH, a backslash is
/// doubled.
std::string escapeForTerminal(std::string_view text);

} // namespace reef::utf8
