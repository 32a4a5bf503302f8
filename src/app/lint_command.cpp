#include "app/lint_command.h"

#include "app/check_pages.h"
#include "app/command.h"
#include "app/config.h"
#include "base/text.h"

#include <cstdio>
#include <filesystem>
#include <optional>

namespace reef::app {

namespace {

namespace fs = std::filesystem;

void say(std::string_view what) {
    std::fputs(text::concat("atoll: lint: ", what, "\n").c_str(), stderr);
}

/// The directory that has an atoll.toml, or a www/ with the place in it, from `place` upwards.
std::optional<fs::path> siteAround(const fs::path& place) {
    std::error_code error;
    fs::path inner = place;
    for (fs::path directory = place;; directory = directory.parent_path()) {
        if (fs::is_regular_file(directory / "atoll.toml", error)) return directory;
        if (directory == place && fs::is_directory(directory / "www", error)) return directory;
        if (directory != place && inner == directory / "www") return directory;
        if (directory == directory.root_path()) return std::nullopt;
        inner = directory;
    }
}

/// The sites whose pages the place may have. Nothing: the configuration is broken, which was said.
std::optional<std::vector<site::SiteSettings>> sitesAround(const fs::path& place) {
    std::error_code error;
    if (const auto directory = siteAround(place)) {
        auto config = readConfig(directory->string());
        if (config) return std::move(config->sites);
        for (const ConfigError& wrong : config.error())
            say(wrong.describe());
        return std::nullopt;
    }
    site::SiteSettings alone;
    alone.documents = (fs::is_directory(place, error) ? place : place.parent_path()).string();
    return std::vector{std::move(alone)};
}

} // namespace

int lintPages(const std::string& name) {
    std::error_code error;
    const auto place = fs::canonical(name, error);
    if (error) {
        say(text::concat(text::escapeControls(name), ": ", error.message()));
        return kExitFailed;
    }
    auto sites = sitesAround(place);
    if (!sites) return kExitFailed;
    std::size_t findings = 0;
    bool looked = false;
    for (site::SiteSettings& settings : *sites) {
        const auto loaded = site::Site::load(std::move(settings));
        if (!loaded) {
            say(loaded.error());
            return kExitFailed;
        }
        PageSelection selection;
        selection.advice = true;
        selection.below = place.string();
        for (const site::Site::Documents& documents : loaded->documents()) {
            const auto root = fs::weakly_canonical(documents.root.directory(), error).string();
            looked = looked || place.string().starts_with(root) || root.starts_with(place.string());
        }
        for (const std::string& finding : faultsOfPages(*loaded, selection)) {
            std::printf("%s\n", finding.c_str());
            ++findings;
        }
    }
    if (!looked) {
        say(text::concat(text::escapeControls(place.string()),
                         " is no part of its site's documents"));
        return kExitFailed;
    }
    if (findings == 0) std::printf("%s: nothing to be said\n", place.c_str());
    return findings == 0 ? 0 : kExitFaults;
}

} // namespace reef::app
