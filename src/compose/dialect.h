#pragma once

#include <cstdint>
#include <string_view>

namespace reef::compose {

/// Whose pages a site has. All dialects know the same directives; they differ in expressions, in
/// how `$NAME` is read, in encodings and in texts. See docs/ssi.md.
enum class Dialect : std::uint8_t {
    apache,       ///< Apache httpd 2.4: ap_expr
    apacheLegacy, ///< Apache httpd up to 2.2, or with SSILegacyExprParser
    nginx,
};

/// What a wrong directive leaves in the page until `config errmsg` says otherwise.
constexpr std::string_view errorTextOf(Dialect dialect) noexcept {
    return dialect == Dialect::nginx ? "[an error occurred while processing the directive]"
                                     : "[an error occurred while processing this directive]";
}

} // namespace reef::compose
