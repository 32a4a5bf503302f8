#pragma once

#include "compose/parser.h"

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace reef::compose {

/// What one attribute of a directive asks for.
enum class Action : std::uint8_t {
    includeVirtual, ///< the value names a URL path
    includeFile,    ///< the value names a file
    echo,           ///< the value names a variable
    setErrorText,   ///< the value replaces the error text from here on
};

/// One attribute, understood.
struct Step {
    Action action;
    std::string_view value; ///< entities decoded where the directive's attribute wants it
};

/// Why a directive as a whole cannot be run: there is none of this name, or it has no attribute.
/// Empty: it can.
std::string_view faultOf(const Directive& directive) noexcept;

/// The meaning of an attribute, by the table of directives and attributes. Names compare without
/// case. The value is a view of the directive or of `scratch`. The error is a literal, for the log:
/// the directive has no such attribute, or the attribute has no value.
std::expected<Step, std::string_view> stepFor(const Directive& directive,
                                              const Attribute& attribute, std::string& scratch);

} // namespace reef::compose
