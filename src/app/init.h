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

/// What may be in the directory already.
enum class Beside : bool {
    nothing, ///< no file
    others,  ///< files of other names: `--force`
};

/// Whether there is a file below this directory, or anything else that is no directory.
bool holdsFiles(const std::filesystem::path& directory);

/// What is said of a directory that is not empty: what init would add to it, and how.
std::string describeHesitation(const std::filesystem::path& directory,
                               std::span<const EmbeddedFile> files, Colour colour);

/// The command `atoll init DIR`: writes the demo site, tells of it on standard output (of a failure
/// on standard error), and returns the exit status. Colours where that is a terminal and NO_COLOR
/// is not set.
int initSite(const std::filesystem::path& directory, Beside beside);

} // namespace reef::app
