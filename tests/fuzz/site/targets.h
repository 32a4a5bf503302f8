#pragma once

#include <string_view>

/// Fuzz targets of what a site's configuration says.
namespace reef::fuzz {

/// Lines: p a pattern of paths and t a template of the route, u the path that is asked for, n a
/// network, a an Authorization field.
void routeTexts(std::string_view input);

} // namespace reef::fuzz
