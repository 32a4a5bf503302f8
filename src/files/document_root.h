#pragma once

#include "base/bytes.h"
#include "base/fd.h"
#include "base/result.h"

#include <sys/stat.h>

#include <ctime>
#include <expected>
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

/// A directory whose files may be served, and nothing outside of it: paths are opened with
/// openat2(2) and RESOLVE_BENEATH, so that neither `..` nor a symbolic link leads out, whatever
/// changes meanwhile. Names that begin with a dot are never served, except below `/.well-known/`
/// (RFC 8615). Immutable; usable by all loops.
class DocumentRoot {
public:
    /// Opens the directory. Error: system.
    static Result<DocumentRoot> open(const std::string& directory,
                                     std::vector<std::string> indexNames);

    /// Finds the file of a decoded, normalised path (http::decodePath). A directory gives its index
    /// file.
    std::expected<OpenFile, Absence> find(std::string_view path) const;

    /// Whether no symbolic link stands on the way to a file that `find` returned.
    bool isDirect(const OpenFile& file) const noexcept;

    const std::string& directory() const noexcept { return directory_; }
    int descriptor() const noexcept { return descriptor_.get(); } ///< O_PATH

private:
    DocumentRoot(std::string directory, Fd descriptor, std::vector<std::string> indexNames)
        : directory_(std::move(directory)), descriptor_(std::move(descriptor)),
          indexNames_(std::move(indexNames)) {}

    std::expected<OpenFile, Absence> openNamed(std::string name) const;

    std::string directory_;
    Fd descriptor_;
    std::vector<std::string> indexNames_;
};

} // namespace reef::files
