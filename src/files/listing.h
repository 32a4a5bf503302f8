#pragma once

#include "base/bytes.h"
#include "files/document_root.h"
#include "http/handler.h"

#include <cstdint>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

namespace reef::files {

struct ListedEntry {
    std::string name; ///< as on disk: hostile text, perhaps no UTF-8; holds no control byte
    bool directory = false;
    ByteCount size = 0; ///< of a file
    std::time_t modified = 0;
};

/// What is in a directory, as far as it may be shown.
struct Listing {
    std::vector<ListedEntry> entries;
    bool cut = false; ///< there are more than were read
};

/// How a listing is sorted: directories stand first in any case.
struct ListingOrder {
    enum class Key : std::uint8_t { name, size, time };
    Key key = Key::name;
    bool descending = false;

    /// Reads `sort=name|size|time` and `order=asc|desc` out of a query; the usual for all else.
    static ListingOrder of(std::string_view query) noexcept;
    void sort(Listing& listing) const;
};

inline constexpr std::size_t kMaxListed = 10'000;

/// Reads a directory of the root by its path, which ends with a slash: files and directories that
/// the root would serve, at most `most` of them. Hidden names, names with control bytes, links that
/// the root does not follow, sockets and the like are left out. Lets others have their turn every
/// few hundred entries. `root` and the path outlive the task.
Task<std::expected<Listing, Absence>> readListing(const DocumentRoot& root, std::string_view path,
                                                  std::size_t most = kMaxListed);

/// Answers GET and HEAD with what is in a directory, as HTML, or as JSON when the client likes that
/// better (Accept, or `?format=json`). `path` leads to it in `root` and ends with a slash; it may
/// differ from the request's. Whether a directory may be listed is the caller's business, and so is
/// compressing (http::CompressingSink).
Task<http::Handled> sendListing(http::Request& request, http::ResponseSink& sink,
                                const DocumentRoot& root, std::string_view path);

} // namespace reef::files
