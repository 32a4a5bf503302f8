#pragma once

#include <string_view>

/// The fuzz targets of the files room, one a source file; see ../fuzz.h.
namespace reef::fuzz {

/// Lines: a query, then the names in a directory. The page has no tag but its own, the JSON is
/// UTF-8 and its strings end where they should, and sorting loses nothing.
void listing(std::string_view input);

} // namespace reef::fuzz
