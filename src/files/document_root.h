#pragma once

#include "base/bytes.h"
#include "base/fd.h"
#include "base/result.h"
#include "io/beneath.h"

#include <sys/stat.h>

#include <ctime>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace reef::files {

/// A regular file, open for reading, and what is needed to describe it.
struct OpenFile {
    Fd descriptor;
    ByteCount size = 0;
    timespec modified{};
    ino_t inode = 0;
    nlink_t links = 0;
    std::string name; ///< path below the root without a leading slash, "docs/index.html"
};

/// Why a path leads to no file.
enum class Absence : std::uint8_t {
    notFound,    ///< nothing there, or nothing that may be shown
    forbidden,   ///< there, but the file's rights do not let us read it
    addSlash,    ///< a directory, asked for without its slash
    noIndex,     ///< a directory without an index file
    unavailable, ///< out of descriptors or memory
};

/// Whether a path names something hidden: a part of it begins with a dot, and does not stand below
/// `/.well-known/` (RFC 8615).
bool isHidden(std::string_view path) noexcept;

/// A directory whose files may be served, and nothing outside of it: paths are opened with
/// openat2(2) and RESOLVE_BENEATH, so that neither `..` nor a symbolic link leads out, whatever
/// changes meanwhile; unless Links::anywhere is asked for. Hidden names are never served.
/// Immutable; usable by all loops.
class DocumentRoot {
public:
    /// Opens the directory. `links`: what becomes of symbolic links in it. Error: system.
    static Result<DocumentRoot> open(const std::string& directory,
                                     std::vector<std::string> indexNames,
                                     io::Links links = io::Links::followed);

    /// Finds the file of a decoded, normalised path (http::decodePath). A directory gives its index
    /// file: the first there is of the root's index names, or of `indexNames`.
    std::expected<OpenFile, Absence> find(std::string_view path) const {
        return find(path, indexNames_);
    }
    std::expected<OpenFile, Absence> find(std::string_view path,
                                          std::span<const std::string> indexNames) const;

    /// Opens a file by its name below the root ("docs/page.html.gz"), which must not be hidden.
    std::expected<OpenFile, Absence> openNamed(std::string name) const;

    /// Opens a directory for reading, by a path with a slash at its end.
    std::expected<Fd, Absence> openDirectory(std::string_view path) const;

    /// What a name below the root ("docs/link") leads to, links followed as the root does.
    std::optional<struct stat> statusOf(const std::string& name) const noexcept;

    /// The absolute name of what a name below the root leads to, behind all links. Empty: nothing.
    std::string realNameOf(const std::string& name) const;

    /// Whether no symbolic link stands on the way to a file that `find` returned.
    bool isDirect(const OpenFile& file) const noexcept;

    /// The file of this absolute name, or all files in this directory, are as if they were not
    /// there: what a server keeps for itself, should it lie in the root. While it is being made.
    void conceal(const std::string& name);

    const std::string& directory() const noexcept { return directory_; }
    int descriptor() const noexcept { return descriptor_.get(); } ///< O_PATH

private:
    DocumentRoot(std::string directory, Fd descriptor, std::vector<std::string> indexNames,
                 io::Links links)
        : directory_(std::move(directory)), descriptor_(std::move(descriptor)),
          indexNames_(std::move(indexNames)), links_(links) {}

    std::string directory_;
    Fd descriptor_;
    std::vector<std::string> indexNames_;
    bool isConcealed(int descriptor) const;

    io::Links links_;
    std::vector<std::string> concealed_; ///< real names; usually none
};

} // namespace reef::files
