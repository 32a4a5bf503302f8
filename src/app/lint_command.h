#pragma once

#include <string>

namespace reef::app {

/// `atoll lint`: says what is wrong with the pages below `place`, a file or a directory, and what
/// had better be otherwise. They are looked at as pages of the site whose atoll.toml stands in
/// that directory or above it, by its settings; without one, as pages of a site that has this
/// directory for its documents. Returns the exit status: kExitFaults when there is something to
/// say, kExitFailed when nothing can be looked at.
int lintPages(const std::string& place);

} // namespace reef::app
