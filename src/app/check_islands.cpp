#include "app/check_islands.h"

#include "app/access.h"
#include "app/walk.h"
#include "base/text.h"
#include "gateway/island_directory.h"
#include "gateway/shebang.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace reef::app {

namespace {

constexpr mode_t kAnyExecute = S_IXUSR | S_IXGRP | S_IXOTH;

/// Whether a file is there to be run: all at the top, and what looks like a program below.
bool isProgram(const std::string& name, const std::string& file, const struct stat& status) {
    return name.find('/') == std::string::npos || (status.st_mode & kAnyExecute) != 0 ||
           gateway::hasShebang(file);
}

std::string namesOf(const process::Identity& runner) {
    return runner.name.empty() ? std::to_string(runner.user) : runner.name;
}

/// Whether `runner` may come to the file, and start it: a script is read by its interpreter.
std::string faultOfAccess(const std::string& name, const std::string& file,
                          const struct stat& status, const process::Identity& runner) {
    const auto directory = file.substr(0, file.rfind('/'));
    const int wanted = gateway::hasShebang(file) ? R_OK | X_OK : X_OK;
    if (mayEnter(runner, directory) && mayUse(runner, status, wanted)) return {};
    return text::concat("island ", name, " is closed to ", namesOf(runner),
                        ", who is to run it: chmod 755 it and the directories above it");
}

} // namespace

std::vector<std::string> faultsOfIslands(const std::string& directory,
                                         const process::Identity& runner) {
    std::error_code error;
    if (!std::filesystem::exists(directory, error) && !error) return {};
    const auto islands = gateway::IslandDirectory::open(directory, "/");
    if (!islands)
        return {text::concat("the islands in ", directory, ": ", islands.error().describe())};
    auto [files, faults] = walk(directory);
    for (const std::string& name : files) {
        const std::string file = directory + "/" + name;
        const std::string shown = text::escapeControls(name);
        struct stat status{};
        if (::stat(file.c_str(), &status) != 0) {
            faults.push_back(text::concat("island ", shown, ": ", std::strerror(errno)));
            continue;
        }
        if (!isProgram(name, file, status)) continue;
        if (const auto island = islands->find("/" + name); !island) {
            faults.push_back(text::escapeControls(island.error().detail));
            continue;
        }
        if (const auto fault = gateway::faultOfShebang(file))
            faults.push_back(text::concat("island ", shown, ": ", *fault));
        if (auto fault = faultOfAccess(shown, file, status, runner); !fault.empty())
            faults.push_back(std::move(fault));
    }
    return std::move(faults);
}

} // namespace reef::app
