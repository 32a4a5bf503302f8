#pragma once

#include "process/identity.h"
#include "site/site.h"

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace reef::app {

/// Who is to run islands.
struct IslandRunner {
    process::Identity identity;
    bool isTheirOwn = false; ///< the configuration names this user, for islands alone
};

/// Who runs which islands of a site, as `user` in the file, the site and its routes says. A plain
/// value.
class IslandRunners {
public:
    /// One for all of them.
    explicit IslandRunners(IslandRunner usual) : usual_(std::move(usual)) {}

    /// `usual` where site and routes say nothing. A user who does not exist is told of elsewhere,
    /// and counts as said nothing. Looks users up: blocks.
    IslandRunners(const site::SiteSettings& site, const IslandRunner& usual);

    /// All who may come to run the island at the URL path `script`, by one method or another, with
    /// path-info or without; each once, at least one.
    std::vector<IslandRunner> of(std::string_view script) const;

private:
    struct Rule {
        site::RouteMatch match;
        std::optional<IslandRunner> runner;
        bool decides = false; ///< who comes so far runs nothing
    };

    void addThose(std::string_view path, std::vector<IslandRunner>& found) const;

    IslandRunner usual_;
    std::vector<Rule> rules_; ///< in the order of the routes
};

/// The runner that these rules name; nothing: none, or one who does not exist. Blocks.
std::optional<IslandRunner> runnerIn(const gateway::IslandRules& rules);

} // namespace reef::app
