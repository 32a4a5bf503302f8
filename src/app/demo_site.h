#pragma once

#include "base/embedded.h"
#include "base/result.h"

#include <expected>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

/// The demo site: `www/`, `cgi-bin/` and a commented `atoll.toml`, carried in the binary so that
/// one copied file is enough to begin with.
namespace reef::app {

/// Every file of the demo site, ordered by path. Paths are relative to the site's directory.
std::span<const EmbeddedFile> demoFiles() noexcept;

/// Why the demo site was not written. The directory is as it was before.
struct DemoFailure {
    Error error;

    /// What stood in the way: every path that exists already, or the one that a system call
    /// refused. Relative to the site's directory; "." is the directory itself.
    std::vector<std::string> paths;

    /// Whether something that is there already would have been overwritten.
    bool isConflict() const noexcept { return error.systemError() == EEXIST; }
};

/// Writes the demo site below `directory`, which is made with its parents if it is missing, and
/// returns what was written. Other files there stay as they are. All or nothing: a file that exists
/// already (a dangling link too) is never overwritten, and after a failure midway, such as a full
/// disk, what had been written is removed again. Islands get mode 0755, other files 0644, whatever
/// the umask says, because an island that its group can write to would be refused. Blocks; meant
/// for the command line.
std::expected<std::span<const EmbeddedFile>, DemoFailure>
writeDemoSite(const std::filesystem::path& directory);

} // namespace reef::app
