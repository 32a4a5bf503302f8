#pragma once

#include "base/fd.h"
#include "base/result.h"

#include <sys/stat.h>

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace reef::gateway {

/// Which content a file has: changed by whatever changes the file or puts another in its place.
struct FileVersion {
    FileVersion() noexcept = default;
    explicit FileVersion(const struct stat& status) noexcept;

    std::uint64_t device = 0;
    std::uint64_t number = 0; ///< of its inode
    std::int64_t size = 0;
    std::int64_t modified = 0; ///< nanoseconds
    std::int64_t changed = 0;  ///< its content, name or rights: nanoseconds

    friend bool operator==(const FileVersion&, const FileVersion&) = default;
};

/// A program found below an island directory.
struct Island {
    std::string name;       ///< below the directory: "form.pl", "shop/cart"
    std::string file;       ///< absolute file name, to be executed
    std::string scriptName; ///< URL path that names it: "/cgi-bin/form.pl"
    std::string pathInfo;   ///< what follows in the URL path: "/a/b", or ""
    FileVersion version;
    bool warm = false; ///< whether an interpreter that has loaded it may run it; the site's choice
};

/// Why a path leads to no island. `status` for the client; `detail` for the log says what was
/// expected.
struct IslandRefusal {
    int status;
    std::string detail;
};

/// A directory of islands and the URL prefix it answers. Whatever lies in it is run or refused,
/// never shown. A program is refused when it is not executable, when others than its owner may
/// write to it, or when a link leads out of the directory. Immutable; usable by all loops.
class IslandDirectory {
public:
    /// `prefix` begins and ends with a slash. Error: system.
    static Result<IslandDirectory> open(const std::string& directory, std::string prefix);

    bool answers(std::string_view path) const noexcept { return path.starts_with(prefix_); }

    /// The longest leading part of a decoded path (below the prefix) that is a regular file is the
    /// island; the rest is PATH_INFO.
    std::expected<Island, IslandRefusal> find(std::string_view path) const;

    /// False once the directory has been moved away or replaced: then open it anew.
    bool isInPlace() const noexcept;

private:
    IslandDirectory(std::string directory, Fd descriptor, std::string prefix)
        : directory_(std::move(directory)), descriptor_(std::move(descriptor)),
          prefix_(std::move(prefix)) {}

    std::string directory_;
    Fd descriptor_;
    std::string prefix_;
};

} // namespace reef::gateway
