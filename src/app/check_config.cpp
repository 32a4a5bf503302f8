#include "app/check_config.h"

#include "app/access.h"
#include "base/text.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

namespace reef::app {

namespace {

using Faults = std::vector<std::string>;

bool guards(const site::Conduct& conduct) {
    return conduct.access.has_value() || (conduct.auth.has_value() && *conduct.auth != nullptr);
}

bool decides(const site::Route& route) {
    return route.redirect || route.rewrite || route.respond;
}

bool isBelowIslands(const site::SiteSettings& site, std::string_view path) {
    const auto below = [path](const site::Mount& each) { return path.starts_with(each.prefix); };
    return path.starts_with(site.islandPrefix) || std::ranges::any_of(site.islandMounts, below);
}

/// Whether an interpreter would run a document of this path.
bool isInterpreted(const site::SiteSettings& site, std::string_view path) {
    const gateway::Interpreters* interpreters = site.conduct.interpreters.get();
    for (const site::Route& route : site.routes)
        if (route.conduct.interpreters && route.match.mayApply(path))
            interpreters = route.conduct.interpreters.get();
    const auto name = path.substr(path.rfind('/') + 1);
    return interpreters != nullptr && !interpreters->programFor(name).empty();
}

/// A path that the pattern fits, which may be an island's; nothing: it fits all that is below such
/// a path as well.
std::optional<std::string> exampleOf(const site::PathPattern& pattern) {
    if (pattern.isExact()) return pattern.prefix();
    if (pattern.suffix().empty()) return std::nullopt;
    const std::string_view before = pattern.prefix();
    return text::concat(before.empty() ? "/" : before, "x", pattern.suffix());
}

std::string openPathInfo(const site::PathPattern& pattern, const std::string& path) {
    if (pattern.isExact())
        return text::concat("the route for ", path, " guards that path alone, and ", path,
                            "/anything runs the same island unguarded: write path = [\"", path,
                            "\", \"", path, "/*\"]");
    return text::concat(
        "the route for ", pattern.prefix(), "*", pattern.suffix(), " guards no path-info, and ",
        path, "/anything runs the same island as ", path, " unguarded: write regex = '",
        pattern.suffix().starts_with('.') ? "\\" : "", pattern.suffix(), "(/|$)' in place of it");
}

/// "/cgi-bin/adm.pl/x" runs adm.pl as well.
void lookAtPathInfo(const site::SiteSettings& site, Faults& faults) {
    for (const site::Route& route : site.routes) {
        if (!guards(route.conduct)) continue;
        for (const site::PathPattern& pattern : route.match.paths) {
            const auto path = exampleOf(pattern);
            if (!path || path->ends_with('/')) continue;
            if (!isBelowIslands(site, *path) && !isInterpreted(site, *path)) continue;
            const auto holds = [deeper = *path + "/x"](const site::Route& each) {
                return (guards(each.conduct) || decides(each)) && each.match.mayApply(deeper);
            };
            if (std::ranges::any_of(site.routes, holds)) continue;
            faults.push_back(openPathInfo(pattern, *path));
        }
    }
}

/// The path of this site that a route always leads to; nothing: it depends, or it is elsewhere.
std::optional<std::string> fixedTarget(const site::Route& route) {
    const site::TextTemplate* const target = route.redirect  ? &route.redirect->location
                                             : route.rewrite ? &*route.rewrite
                                                             : nullptr;
    if (target == nullptr || !target->source().starts_with('/')) return std::nullopt;
    if (target->source().find('$') != std::string::npos) return std::nullopt;
    return target->source().substr(0, target->source().find_first_of("?#"));
}

bool leadsToItself(const site::Route& route) {
    if (!route.match.methods.empty()) return false;
    if (const auto target = fixedTarget(route)) return route.match.mayApply(*target);
    if (!route.match.paths.empty() || route.match.regex) return false;
    return route.rewrite ||
           (route.redirect && route.redirect->location.source().find("://") == std::string::npos);
}

void lookForCircles(const site::SiteSettings& site, Faults& faults) {
    for (auto route = site.routes.begin(); route != site.routes.end(); ++route) {
        if (!leadsToItself(*route)) continue;
        const auto target = fixedTarget(*route);
        const auto ends = [&](const site::Route& before) {
            return decides(before) && target && before.match.mayApply(*target);
        };
        if (std::any_of(site.routes.begin(), route, ends)) continue;
        const auto& source =
            route->redirect ? route->redirect->location.source() : route->rewrite->source();
        faults.push_back(text::concat("the route that ", route->redirect ? "redirects" : "rewrites",
                                      " to \"", text::escapeControls(source),
                                      "\" applies to that as well, and leads there for ever: give "
                                      "it a path that its target does not have"));
    }
}

bool isEverywhere(const io::Address& address) {
    return address.host() == "0.0.0.0" || address.host() == "::";
}

void lookAtPorts(const Config& config, Faults& faults) {
    std::vector<io::Address> all;
    for (const ListenAddress& each : config.listen)
        all.push_back(each.address);
    if (config.panel) all.push_back(*config.panel);
    for (auto a = all.begin(); a != all.end(); ++a)
        for (auto b = all.begin(); b != a; ++b) {
            if (a->isUnix() || b->isUnix() || a->port() != b->port()) continue;
            const bool same = a->describe() == b->describe();
            if (!same && isEverywhere(*a) == isEverywhere(*b)) continue;
            faults.push_back(text::concat(b->describe(), " and ", a->describe(),
                                          same ? " are the same address"
                                               : " are the same port twice: one takes visitors of "
                                                 "the other"));
        }
}

/// What is wrong with a file that `runner` is to append to; "": nothing.
std::string faultOfLogFile(const std::string& file, const std::string& data,
                           const process::Identity& runner) {
    struct stat status{};
    if (::stat(file.c_str(), &status) == 0) {
        if (S_ISDIR(status.st_mode)) return "is a directory; expected the name of a file";
        return mayUse(runner, status, W_OK) ? "" : "may not be written by the server's user";
    }
    const std::string directory = file.substr(0, std::max<std::size_t>(file.rfind('/'), 1));
    if (::stat(directory.c_str(), &status) != 0 || !S_ISDIR(status.st_mode))
        return directory == data ? "" : text::concat("there is no directory ", directory);
    if (mayEnter(runner, directory) && mayUse(runner, status, W_OK | X_OK)) return {};
    return text::concat("the server's user may not make files in ", directory);
}

void lookAtAccessLog(const Config& config, const process::Identity& runner, Faults& faults) {
    if (!config.accessLog) return;
    const std::string& file = config.accessLog->file;
    const auto add = [&](std::string_view what) {
        faults.push_back(text::concat("access_log ", file, ": ", what));
    };
    if (const auto fault = faultOfLogFile(file, config.data(), runner); !fault.empty()) add(fault);
    for (const site::SiteSettings& site : config.sites) {
        const auto isShown = [&](const std::string& directory) {
            return !directory.empty() && file.starts_with(directory + "/");
        };
        const auto below = [&](const site::Mount& each) { return isShown(each.directory); };
        if (isShown(site.documents) || std::ranges::any_of(site.documentMounts, below))
            return add("lies among the documents, where every visitor can read it");
    }
}

} // namespace

std::vector<std::string> faultsOfConfig(const Config& config, const process::Identity& runner) {
    Faults faults;
    for (const ConfigError& warning : config.warnings)
        faults.push_back(warning.describe());
    lookAtPorts(config, faults);
    lookAtAccessLog(config, runner, faults);
    for (const site::SiteSettings& site : config.sites) {
        lookAtPathInfo(site, faults);
        lookForCircles(site, faults);
    }
    return faults;
}

} // namespace reef::app
