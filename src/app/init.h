#pragma once

#include "app/demo_site.h"

#include <string>

namespace reef::app {

/// Whether a text for the terminal may use colours and bold type.
enum class Colour { none, ansi };

/// What `atoll init` says about its result: the files by directory and what to do next, or what
/// stood in the way. Ends with a line end.
std::string describeInit(const std::filesystem::path& directory,
                         const std::expected<std::span<const EmbeddedFile>, DemoFailure>& result,
                         Colour colour);

/// The command `atoll init DIR`: writes the demo site, tells of it on standard output (of a failure
/// on standard error), and returns the exit status. Colours where that is a terminal and NO_COLOR
/// is not set.
int initSite(const std::filesystem::path& directory);

} // namespace reef::app
