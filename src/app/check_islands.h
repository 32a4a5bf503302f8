#pragma once

#include "gateway/interpreters.h"
#include "process/identity.h"

#include <string>
#include <vector>

namespace reef::app {

/// Who is to run islands.
struct IslandRunner {
    process::Identity identity;
    bool isTheirOwn = false; ///< the configuration names this user, for islands alone
};

/// What stands in the way of the islands below `directory`, a sentence each: not executable, open
/// to changes by others, a faulty #! line, closed to `runner`, who is to run them, or
/// open to changes by that user, if it is there for islands alone. A file in a
/// directory of its own that is neither executable nor begins with #! is a library, and right. A
/// missing directory has no islands. `interpreters` run the files of their extensions. Blocks.
std::vector<std::string> faultsOfIslands(const std::string& directory, const IslandRunner& runner,
                                         const gateway::Interpreters& interpreters = {});

/// The same of the documents that interpreters run.
std::vector<std::string> faultsOfScripts(const std::string& directory, const IslandRunner& runner,
                                         const gateway::Interpreters& interpreters);

} // namespace reef::app
