#pragma once

#include "base/fd.h"
#include "base/result.h"
#include "gateway/interpreters.h"
#include "io/beneath.h"

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
    std::string name;        ///< below the directory: "form.pl", "shop/cart"
    std::string file;        ///< absolute file name, to be executed
    std::string interpreter; ///< absolute file name of the program that runs it; empty: itself
    std::string scriptName;  ///< URL path that names it: "/cgi-bin/form.pl"
    std::string pathInfo;    ///< what follows in the URL path: "/a/b", or ""
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
/// never shown. A program is refused when it is not executable (unless an interpreter is set for
/// its extension), when others than their owners may change it or a directory that it lies in, so
/// that nobody else can put another one in its place, or when a link leads out of the directory.
/// Immutable; usable by all loops.
class IslandDirectory {
public:
    /// What is taken for a program.
    enum class Programs : std::uint8_t {
        all,         ///< every file: the directory holds nothing else
        interpreted, ///< files that have an interpreter, among documents
    };

    /// `prefix` begins and ends with a slash. Error: system.
    static Result<IslandDirectory> open(const std::string& directory, std::string prefix,
                                        Programs programs = Programs::all,
                                        io::Links links = io::Links::followed);

    bool answers(std::string_view path) const noexcept { return path.starts_with(prefix_); }

    /// The longest leading part of a decoded path (below the prefix) that is a regular file is the
    /// island; the rest is PATH_INFO. `interpreters`: null for none.
    std::expected<Island, IslandRefusal> find(std::string_view path,
                                              const Interpreters* interpreters = nullptr) const;

    /// The file that a path which it answers would name, whether it is there or not.
    std::string fileFor(std::string_view path) const;

    const std::string& directory() const noexcept { return directory_; }

    /// False once the directory has been moved away or replaced: then open it anew.
    bool isInPlace() const noexcept;

private:
    IslandDirectory(std::string directory, Fd descriptor, std::string prefix, Programs programs,
                    io::Links links)
        : directory_(std::move(directory)), descriptor_(std::move(descriptor)),
          prefix_(std::move(prefix)), programs_(programs), links_(links) {}

    struct Way {
        Result<Fd> file;
        bool linked; ///< a symbolic link stands on it
    };
    Way openWay(const std::string& name) const;
    std::string openDirectoryBehind(int file) const;
    std::expected<Island, IslandRefusal> islandAt(const std::string& name,
                                                  const Interpreters* interpreters) const;

    std::string directory_;
    Fd descriptor_;
    std::string prefix_;
    Programs programs_;
    io::Links links_;
};

} // namespace reef::gateway
