#pragma once

#include <string_view>

/// Fuzz targets of the cache of answers.
namespace reef::fuzz {

/// Lines of Cache-Control, as an island may write them.
void cacheControl(std::string_view input);

} // namespace reef::fuzz
