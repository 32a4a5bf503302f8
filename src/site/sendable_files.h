#pragma once

#include "files/document_root.h"

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace reef::site {

/// The files that islands may have the server send (X-Sendfile): those in some directories, less
/// some of them. Immutable once filled; usable by all loops.
class SendableFiles {
public:
    /// Files in `directory`, which is absolute, may be sent. The error says why it cannot be
    /// opened.
    std::expected<void, std::string> add(const std::string& directory, io::Links links);

    /// The file of this absolute name, or all files in this directory, may not be sent, whatever
    /// else is said; also when it comes later.
    void exclude(const std::string& name);

    /// Why a file is not sent. `status` for the client; `detail` for the log.
    struct Refusal {
        int status;
        std::string detail;
    };

    /// Opens a file by its absolute name, with or without links in it. Refused: 404 there is none
    /// (hidden ones included); 502 it may not be sent, or the server cannot read it.
    std::expected<files::OpenFile, Refusal> open(std::string_view name) const;

    /// False once one of the directories has been moved away or replaced.
    bool isInPlace() const noexcept;

private:
    struct Root {
        files::DocumentRoot directory;
        std::string realName;
    };

    bool isExcluded(std::string_view realName) const noexcept;

    std::vector<Root> roots_;
    std::vector<std::string> excluded_; ///< real names
};

} // namespace reef::site
