#pragma once

#include "app/island_runners.h"
#include "gateway/interpreters.h"

#include <string>
#include <vector>

namespace reef::app {

/// A directory of islands, or of documents, and where a site has it.
struct IslandPlace {
    std::string directory;
    std::string prefix = "/"; ///< of the URL path of what lies there; ends with a slash
};

/// What stands in the way of the islands at a place, a sentence each: not executable, open to
/// changes by others, a faulty #! line, closed to one of the `runners` who is to run it, or open to
/// changes by such a one, if he is there for islands alone. A file in a directory of its own that
/// is neither executable nor begins with #! is a library, and right. A missing directory has no
/// islands. `interpreters` run the files of their extensions. Blocks.
std::vector<std::string> faultsOfIslands(const IslandPlace& place, const IslandRunners& runners,
                                         const gateway::Interpreters& interpreters = {});

/// The same of the documents that interpreters run.
std::vector<std::string> faultsOfScripts(const IslandPlace& place, const IslandRunners& runners,
                                         const gateway::Interpreters& interpreters);

} // namespace reef::app
