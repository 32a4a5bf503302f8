#pragma once

#include <string>
#include <vector>

namespace reef::app {

/// The files below a directory.
struct Walk {
    std::vector<std::string> files;  ///< "shop/cart.sh", in order; hidden ones are left out
    std::vector<std::string> faults; ///< directories that cannot be read, links that lead nowhere
};

/// Reads the whole tree; links to directories are not followed. Blocks.
Walk walk(const std::string& directory);

} // namespace reef::app
