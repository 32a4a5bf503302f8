#include "app/check_command.h"

#include "app/check_config.h"
#include "app/check_islands.h"
#include "app/check_pages.h"
#include "app/command.h"
#include "app/config.h"
#include "app/config_islands.h"
#include "app/island_users.h"
#include "app/server_user.h"
#include "base/text.h"

#include <unistd.h>

#include <cstdio>
#include <filesystem>

namespace reef::app {

namespace {

void say(std::string_view what) {
    std::fputs(text::concat("atoll: check: ", what, "\n").c_str(), stderr);
}

/// No fault, but worth knowing: islands that are the server's own user can read what it knows.
void sayWhatIsShared(const Config& config, const ServerUser& user) {
    const process::Identity server = user.identity.value_or(ownIdentity());
    const process::Identity islands = user.islands.value_or(ownIdentity());
    if (config.islands.rules.user || server.user != islands.user) return;
    say(text::concat("note: islands and server both run as ", server.name, ", so islands can read ",
                     config.data(), "; `user` gives them one of their own"));
}

std::vector<std::string> faultsOfSite(site::SiteSettings settings, const IslandRunner& usual) {
    const IslandRunners runners(settings, usual);
    gateway::Interpreters interpreters;
    const auto take = [&interpreters](const site::Conduct& conduct) {
        if (conduct.interpreters) interpreters.add(*conduct.interpreters);
    };
    take(settings.conduct);
    for (const site::Route& route : settings.routes)
        take(route.conduct);
    std::vector<std::string> faults =
        faultsOfIslands({settings.islands, settings.islandPrefix}, runners, interpreters);
    const auto add = [&faults](std::vector<std::string> more) {
        faults.insert(faults.end(), more.begin(), more.end());
    };
    for (const site::Mount& mount : settings.islandMounts)
        add(faultsOfIslands({mount.directory, mount.prefix}, runners, interpreters));
    add(faultsOfScripts({settings.documents, "/"}, runners, interpreters));
    for (const site::Mount& mount : settings.documentMounts)
        add(faultsOfScripts({mount.directory, mount.strip ? mount.prefix : "/"}, runners,
                            interpreters));
    auto loaded = site::Site::load(std::move(settings));
    if (loaded) {
        add(faultsOfErrorPages(*loaded));
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
    const auto add = [&faults](const std::vector<std::string>& more) {
        faults.insert(faults.end(), more.begin(), more.end());
    };
    const auto user = serverUser(config->directory);
    if (!user.whyRoot.empty()) faults.push_back(user.whyRoot);
    if (const auto found = findIslandUsers(*config, user); !found) add(found.error());
    add(faultsOfIslandLimits(*config, ::getpid()));
    sayWhatIsShared(*config, user);
    add(faultsOfConfig(*config, user.identity.value_or(ownIdentity())));
    const auto usual = runnerIn(config->islands.rules)
                           .value_or(IslandRunner{user.islands.value_or(ownIdentity()), false});
    for (site::SiteSettings& site : config->sites) {
        std::error_code error;
        if (!std::filesystem::is_directory(site.documents, error))
            say(text::concat("note: there is no ", site.documents, ": the site has no documents"));
        add(faultsOfSite(std::move(site), usual));
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
