#include "app/check_islands.h"

#include "app/access.h"
#include "app/walk.h"
#include "base/text.h"
#include "gateway/island_directory.h"
#include "gateway/shebang.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>

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
                          const struct stat& status, const process::Identity& runner,
                          bool interpreted) {
    const auto directory = file.substr(0, file.rfind('/'));
    const int wanted = interpreted ? R_OK : gateway::hasShebang(file) ? R_OK | X_OK : X_OK;
    if (mayEnter(runner, directory) && mayUse(runner, status, wanted)) return {};
    return text::concat("island ", name, " is closed to ", namesOf(runner),
                        ", who is to run it: chmod 755 it and the directories above it");
}

/// An island that was taken over could change what runs the next time.
std::string faultOfWritable(std::string_view what, const std::string& path,
                            const process::Identity& runner) {
    struct stat status{};
    if (runner.user == 0 || ::stat(path.c_str(), &status) != 0) return {};
    const bool isOwner = status.st_uid == runner.user; // who may give himself the right
    if (!isOwner && !mayUse(runner, status, W_OK)) return {};
    return text::concat(what, " ", text::escapeControls(path), " can be changed by ",
                        namesOf(runner),
                        ", who runs islands: give it to another owner, with mode 755");
}

using Programs = gateway::IslandDirectory::Programs;

class Check {
public:
    Check(const IslandPlace& place, const IslandRunners& runners,
          const gateway::Interpreters& interpreters, Programs programs)
        : place_(place), runners_(runners), interpreters_(interpreters), programs_(programs) {}

    std::vector<std::string> faults() {
        std::error_code error;
        const std::string& directory = place_.directory;
        if (!std::filesystem::exists(directory, error) && !error) return {};
        const auto islands = gateway::IslandDirectory::open(directory, "/", programs_);
        if (!islands)
            return {text::concat("the islands in ", directory, ": ", islands.error().describe())};
        auto [files, faults] = walk(directory);
        if (programs_ == Programs::all) addFaultsOfDirectory(files, faults);
        for (const std::string& name : files)
            if (auto fault = faultOf(name, *islands); !fault.empty())
                faults.push_back(std::move(fault));
        return std::move(faults);
    }

private:
    std::string pathOf(const std::string& name) const { return place_.prefix + name; }

    /// Who could put another island in the place of one, for each user once.
    void addFaultsOfDirectory(const std::vector<std::string>& files,
                              std::vector<std::string>& faults) const {
        std::set<uid_t> seen;
        const auto look = [&](const std::string& name) {
            for (const IslandRunner& runner : runners_.of(pathOf(name))) {
                if (!runner.isTheirOwn || !seen.insert(runner.identity.user).second) continue;
                auto fault =
                    faultOfWritable("the directory of islands", place_.directory, runner.identity);
                if (!fault.empty()) faults.push_back(std::move(fault));
            }
        };
        look("");
        std::ranges::for_each(files, look);
    }

    /// The first that is wrong with a file that is to be run; empty: nothing.
    std::string faultOf(const std::string& name, const gateway::IslandDirectory& islands) const {
        const bool interpreted = !interpreters_.programFor(name).empty();
        if (programs_ == Programs::interpreted && !interpreted) return {};
        const std::string file = place_.directory + "/" + name;
        const std::string shown = text::escapeControls(name);
        struct stat status{};
        if (::stat(file.c_str(), &status) != 0)
            return text::concat("island ", shown, ": ",
                                errno == EXDEV
                                    ? "a link that leads out of the directory of islands; "
                                      "a script that runs the program does what it was "
                                      "meant to do"
                                    : std::strerror(errno));
        if (!interpreted && !isProgram(name, file, status)) return {};
        if (const auto island = islands.find("/" + name, &interpreters_); !island)
            return text::escapeControls(island.error().detail);
        if (!interpreted)
            if (const auto fault = gateway::faultOfShebang(file))
                return text::concat("island ", shown, ": ", *fault);
        for (const IslandRunner& runner : runners_.of(pathOf(name))) {
            if (runner.isTheirOwn)
                if (auto fault = faultOfWritable("island", file, runner.identity); !fault.empty())
                    return fault;
            auto fault = faultOfAccess(shown, file, status, runner.identity, interpreted);
            if (!fault.empty()) return fault;
        }
        return {};
    }

    const IslandPlace& place_;
    const IslandRunners& runners_;
    const gateway::Interpreters& interpreters_;
    Programs programs_;
};

} // namespace

std::vector<std::string> faultsOfIslands(const IslandPlace& place, const IslandRunners& runners,
                                         const gateway::Interpreters& interpreters) {
    return Check(place, runners, interpreters, Programs::all).faults();
}

std::vector<std::string> faultsOfScripts(const IslandPlace& place, const IslandRunners& runners,
                                         const gateway::Interpreters& interpreters) {
    if (interpreters.empty()) return {};
    return Check(place, runners, interpreters, Programs::interpreted).faults();
}

} // namespace reef::app
