#pragma once

#include <string_view>

namespace reef {

/// A file that the build has put into the binary (`atoll_embed`, packaging/cmake/AtollEmbed.cmake).
/// Both views are valid for the life of the process and need no locking.
struct EmbeddedFile {
    std::string_view path;  ///< relative, with '/', for example "www/index.shtml"
    std::string_view bytes; ///< the content, unchanged
    bool executable;        ///< whether it is meant to be run
};

} // namespace reef
