#pragma once

#include <string_view>

/// The fuzz targets of the pageviews room; see ../fuzz.h.
namespace reef::fuzz {

/// The bytes are what a client sends as path, query, Referer and User-Agent. Whatever they are, the
/// keys are clean, and what is shown in a terminal or in JSON keeps the promises of utf8.h and
/// json.h.
void pageviewTexts(std::string_view input);

} // namespace reef::fuzz
