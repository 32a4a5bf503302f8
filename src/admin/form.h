#pragma once

#include "base/result.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace reef::admin {

/// The fields of a form, decoded.
class Form {
public:
    /// A field's value, "" when there is none.
    std::string_view operator[](std::string_view name) const noexcept;

    std::size_t size() const noexcept { return fields_.size(); }

private:
    friend Result<Form> parseForm(std::string_view);
    std::vector<std::pair<std::string, std::string>> fields_;
};

/// Limits of a form.
inline constexpr std::size_t kMostFormBytes = 8192;
inline constexpr std::size_t kMostFormFields = 32;

/// Reads `application/x-www-form-urlencoded` (also a query). Strict, because our own pages are the
/// only ones that make it: `malformed` for a broken escape, a byte that a browser would have
/// escaped, a control byte, text that is not UTF-8, or a field that comes twice; `tooLarge` beyond
/// the limits. A field without `=` has an empty value.
Result<Form> parseForm(std::string_view encoded);

} // namespace reef::admin
