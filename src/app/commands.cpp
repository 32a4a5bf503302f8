#include "app/commands.h"

#include "admin/accounts.h"
#include "app/config.h"
#include "app/control_client.h"
#include "app/data_directory.h"
#include "app/libraries.h"
#include "app/panel_source.h"
#include "app/password_prompt.h"
#include "app/server_user.h"
#include "app/site_place.h"
#include "base/fd.h"
#include "base/text.h"
#include "base/version.h"
#include "pageviews/report.h"
#include "pageviews/stats_text.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <vector>

namespace reef::app {

namespace {

void say(const std::string& line) {
    std::fputs((line + "\n").c_str(), stderr);
}

/// Waits until each process has ended; one that is gone has no descriptor. False: that takes
/// longer.
bool awaitEnd(const std::vector<Fd>& processes, std::chrono::milliseconds patience) {
    const auto end = std::chrono::steady_clock::now() + patience;
    for (const Fd& process : processes) {
        const auto left =
            std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
        pollfd ended{process.get(), POLLIN, 0};
        const int wait =
            static_cast<int>(std::max<std::chrono::milliseconds::rep>(left.count(), 0));
        if (process && ::poll(&ended, 1, wait) != 1) return false;
    }
    return true;
}

/// Whether there is this account, before somebody thinks of a password for it. If not, says so.
bool isThere(const admin::Accounts& accounts, const std::string& name) {
    const auto found = accounts.find(text::toLower(text::trim(name)));
    if (found && *found) return true;
    say(found ? text::concat("atoll: there is no account ", text::escapeControls(name),
                             "; `atoll user add NAME` makes one")
              : "atoll: " + found.error().message);
    return false;
}

} // namespace

int showStats(const std::string& directory, Format format) {
    const auto config = placeOf(directory);
    if (!config) return 1;
    auto reader = pageviews::ReportReader::open(config->pageviewFile());
    if (!reader) {
        say(reader.error() == Error::notFound
                ? text::concat("atoll: no views were recorded yet in ", config->directory)
                : text::concat("atoll: ", config->pageviewFile(), ": ", reader.error().describe()));
        return 1;
    }
    const auto now =
        std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
    const auto report = (*reader)->read(pageviews::ReportQuery(now));
    if (!report) {
        say(text::concat("atoll: ", config->pageviewFile(), ": ", report.error().describe()));
        return 1;
    }
    const auto text = format == Format::json ? pageviews::statsJson(*report)
                                             : pageviews::statsTable(*report, terminalWidth());
    std::fwrite(text.data(), 1, text.size(), stdout);
    return 0;
}

int showStatus(const std::string& directory, Format format) {
    const auto config = placeOf(directory);
    if (!config) return 1;
    const auto status = askServer(config->controlSocket(), "GET", "/status");
    if (!status) return noServer(*config, status.error());
    if (format == Format::json) {
        std::fwrite(status->data(), 1, status->size(), stdout);
    } else {
        std::fputs(describeStatus(*status).c_str(), stdout);
    }
    return 0;
}

int stopServer(const std::string& directory) {
    const auto config = placeOf(directory);
    if (!config) return 1;
    const auto status = askServer(config->controlSocket(), "GET", "/status");
    if (!status) return noServer(*config, status.error());
    // After the keeper, the addresses are free and the databases closed; after its guardian,
    // nothing of it is left at all. They are held on to before they may end: their numbers can come
    // again.
    std::vector<Fd> last;
    for (const pid_t pid : processesIn(*status))
        last.emplace_back(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
    const auto answer = askServer(config->controlSocket(), "POST", "/stop");
    if (!answer) return noServer(*config, answer.error());
    if (awaitEnd(last, std::chrono::seconds(30))) {
        std::printf("stopped\n");
        return 0;
    }
    say("atoll: the server was told to stop, and has not ended within 30 seconds");
    return 1;
}

int showVersion() {
    const BuildInfo& info = buildInfo();
    std::printf("Atoll %s\ncommit   %s\nbuild    %s, %s\n", std::string(info.version).c_str(),
                std::string(info.commit).c_str(), std::string(info.buildType).c_str(),
                std::string(info.compiler).c_str());
    for (const Component& library : linkedLibraries())
        std::printf("library  %s %s\n", std::string(library.name).c_str(),
                    std::string(library.version).c_str());
    return 0;
}

int addUser(const std::string& directory, const std::string& name) {
    const auto config = placeOf(directory);
    if (!config) return 1;
    const auto user = serverUser(config->directory);
    if (const auto made = makeDataDirectory(config->data(), user.identity); !made) {
        say("atoll: " + made.error());
        return 1;
    }
    const auto password = newPassword();
    if (!password) return 1;
    const auto added = admin::Accounts(config->accountFile()).add(name, *password);
    if (!added) {
        say("atoll: " + added.error().message);
        return 1;
    }
    std::printf("%s may use the panel now\n", added->name.c_str());
    return 0;
}

int changePassword(const std::string& directory, const std::string& name) {
    const auto config = placeOf(directory);
    if (!config) return 1;
    admin::Accounts accounts(config->accountFile());
    if (!isThere(accounts, name)) return 1;
    const auto password = newPassword();
    if (!password) return 1;
    const auto changed = accounts.changePassword(name, *password);
    if (!changed) {
        say("atoll: " + changed.error().message);
        return 1;
    }
    std::printf("the password of %s is changed; sessions begun with the old one have ended\n",
                changed->name.c_str());
    return 0;
}

} // namespace reef::app
