#pragma once

#include "site/site.h"

#include <string>
#include <vector>

namespace reef::app {

/// Which pages are looked at, and how closely.
struct PageSelection {
    std::string below;   ///< a file, or a directory: absolute; empty: all pages of the site
    bool advice = false; ///< also what works here, but not elsewhere or not safely
};

/// What is wrong with the directives of the pages (*.shtml, or the one file that is selected) of a
/// site, a sentence each with file and line; see lintPage. Where routes of the site decide or
/// rewrite, a path may be answered in ways that are not looked into: includes are taken to be right
/// then. Blocks.
std::vector<std::string> faultsOfPages(const site::Site& site, const PageSelection& selection = {});

/// The pages for failures ([errors]) that are not there. Silent where a rule may answer for them.
std::vector<std::string> faultsOfErrorPages(const site::Site& site);

} // namespace reef::app
