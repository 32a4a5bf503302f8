#pragma once

#include <string_view>

namespace reef::compose {

/// What ap_expr knows by name. Parsers refuse what is not known; the evaluator knows what is.
bool isKnownTest(char letter) noexcept;
bool isFileTest(char letter) noexcept; ///< refused in pages
bool isKnownRelation(std::string_view name) noexcept;
bool isKnownFunction(std::string_view name) noexcept;
bool isFileFunction(std::string_view name) noexcept; ///< refused in pages

/// `%{NAME}`: what ap_expr calls a variable, and pages do not.
bool isServerVariable(std::string_view name) noexcept;

} // namespace reef::compose
