#include "app/check_command.h"

#include "app/check_islands.h"
#include "app/check_pages.h"
#include "app/command.h"
#include "app/config.h"
#include "app/server_user.h"
#include "base/text.h"

#include <cstdio>
#include <filesystem>

namespace reef::app {

namespace {

void say(std::string_view what) {
    std::fputs(text::concat("atoll: check: ", what, "\n").c_str(), stderr);
}

std::vector<std::string> faultsOfSite(site::SiteSettings settings,
                                      const process::Identity& runner) {
    gateway::Interpreters interpreters;
    const auto take = [&interpreters](const site::Conduct& conduct) {
        if (conduct.interpreters) interpreters.add(*conduct.interpreters);
    };
    take(settings.conduct);
    for (const site::Route& route : settings.routes)
        take(route.conduct);
    std::vector<std::string> faults = faultsOfIslands(settings.islands, runner, interpreters);
    const auto add = [&faults](std::vector<std::string> more) {
        faults.insert(faults.end(), more.begin(), more.end());
    };
    for (const site::Mount& mount : settings.islandMounts)
        add(faultsOfIslands(mount.directory, runner, interpreters));
    add(faultsOfScripts(settings.documents, runner, interpreters));
    for (const site::Mount& mount : settings.documentMounts)
        add(faultsOfScripts(mount.directory, runner, interpreters));
    auto loaded = site::Site::load(std::move(settings));
    if (loaded) {
        add(faultsOfPages(*loaded));
    } else {
        faults.push_back(loaded.error());
    }
    return faults;
}

} // namespace

int checkSite(const std::string& directory) {
    auto config = readConfig(directory);
    if (!config) {
        for (const ConfigError& error : config.error())
            say(error.describe());
        return kExitFailed;
    }
    std::vector<std::string> faults;
    const auto [user, whyRoot] = serverUser(config->directory);
    if (!whyRoot.empty()) faults.push_back(whyRoot);
    const process::Identity runner = user.value_or(ownIdentity());
    for (site::SiteSettings& site : config->sites) {
        std::error_code error;
        if (!std::filesystem::is_directory(site.documents, error))
            say(text::concat("note: there is no ", site.documents, ": the site has no documents"));
        const auto more = faultsOfSite(std::move(site), runner);
        faults.insert(faults.end(), more.begin(), more.end());
    }
    for (const std::string& fault : faults)
        say(fault);
    if (faults.empty()) {
        std::printf("%s: nothing wrong was found\n", config->directory.c_str());
    } else {
        std::printf("%s: faults: %zu\n", config->directory.c_str(), faults.size());
    }
    return faults.empty() ? 0 : kExitFaults;
}

} // namespace reef::app
