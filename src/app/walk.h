#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace reef::app {

/// The files below a directory.
struct Walk {
    std::vector<std::string> files; ///< "shop/cart.sh", in order; hidden ones are left out
    std::vector<std::string>
        faults; ///< directories that cannot be read, links that lead nowhere, too many files
};

/// More than any site has: what is larger is a whole machine, named by mistake.
inline constexpr std::size_t kMostEntries = 100'000;

/// Reads the whole tree, `most` entries of it, and says when it did not see all; links to
/// directories are not followed. Blocks.
Walk walk(const std::string& directory, std::size_t most = kMostEntries);

} // namespace reef::app
