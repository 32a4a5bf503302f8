#include "app/island_runners.h"

#include "base/text.h"

#include <algorithm>

namespace reef::app {

namespace {

bool decides(const site::Route& route) {
    return route.redirect || route.rewrite || route.respond;
}

void addOnce(const IslandRunner& runner, std::vector<IslandRunner>& found) {
    const auto isSame = [&runner](const IslandRunner& each) {
        return each.identity == runner.identity;
    };
    if (std::ranges::none_of(found, isSame)) found.push_back(runner);
}

} // namespace

std::optional<IslandRunner> runnerIn(const gateway::IslandRules& rules) {
    if (!rules.user) return std::nullopt;
    auto found = process::findIdentity(rules.user->user, rules.user->group);
    if (!found) return std::nullopt;
    return IslandRunner{std::move(*found), true};
}

IslandRunners::IslandRunners(const site::SiteSettings& site, const IslandRunner& usual)
    : usual_(usual) {
    if (site.conduct.islandRules)
        if (auto own = runnerIn(*site.conduct.islandRules)) usual_ = std::move(*own);
    for (const site::Route& route : site.routes) {
        Rule rule{route.match, std::nullopt, decides(route)};
        if (route.conduct.islandRules) rule.runner = runnerIn(*route.conduct.islandRules);
        if (rule.runner || rule.decides) rules_.push_back(std::move(rule));
    }
}

void IslandRunners::addThose(std::string_view path, std::vector<IslandRunner>& found) const {
    std::vector<IslandRunner> those{usual_};
    for (const Rule& rule : rules_) {
        if (!rule.match.mayApply(path)) continue;
        const bool always = rule.match.methods.empty();
        if (rule.decides && always) return; // the island is not come to by this path
        if (rule.decides || !rule.runner) continue;
        if (always) those.clear();
        addOnce(*rule.runner, those);
    }
    for (const IslandRunner& each : those)
        addOnce(each, found);
}

std::vector<IslandRunner> IslandRunners::of(std::string_view script) const {
    std::vector<IslandRunner> found;
    addThose(script, found);
    addThose(text::concat(script, "/x"), found);
    if (found.empty()) found.push_back(usual_);
    return found;
}

} // namespace reef::app
