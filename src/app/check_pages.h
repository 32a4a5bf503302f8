#pragma once

#include "site/site.h"

#include <string>
#include <vector>

namespace reef::app {

/// What is wrong with the directives of the pages (*.shtml) of a site, a sentence each with file
/// and line: unknown directives and attributes, includes of what is not there. Where routes of the
/// site decide or rewrite, a path may be answered in ways that are not looked into: includes are
/// taken to be right then. Blocks.
std::vector<std::string> faultsOfPages(const site::Site& site);

} // namespace reef::app
