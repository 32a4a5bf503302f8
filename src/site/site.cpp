#include "site/site.h"

#include "base/text.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

namespace reef::site {

namespace {

std::unexpected<std::string> cannotOpen(const Mount& mount, Error error) {
    return std::unexpected(
        text::concat("cannot open the directory ", mount.directory, ": ", error.describe()));
}

} // namespace

std::expected<Site, std::string> Site::load(SiteSettings settings) {
    Site site(std::move(settings));
    const SiteSettings& own = site.settings_;
    for (const Mount& mount : own.documentMounts)
        if (auto opened = site.openDocuments(mount, false); !opened)
            return std::unexpected(std::move(opened.error()));
    if (auto opened = site.openDocuments(Mount("/", own.documents), true); !opened)
        return std::unexpected(std::move(opened.error()));
    for (const Mount& mount : own.islandMounts)
        if (auto opened = site.openIslands(mount, false); !opened)
            return std::unexpected(std::move(opened.error()));
    if (auto opened = site.openIslands(Mount(own.islandPrefix, own.islands), true); !opened)
        return std::unexpected(std::move(opened.error()));
    if (auto opened = site.openSendable(); !opened)
        return std::unexpected(std::move(opened.error()));
    const auto take = [&site](const Conduct& conduct) {
        if (conduct.interpreters) site.sources_.add(*conduct.interpreters);
    };
    take(own.conduct);
    for (const Route& route : own.routes)
        take(route.conduct);
    const auto byLength = [](const auto& a, const auto& b) { return a.size() > b.size(); };
    std::ranges::sort(site.documents_, byLength, &Documents::prefix);
    std::ranges::sort(site.islands_, byLength, [](const auto& each) { return each.first; });
    return site;
}

std::expected<void, std::string> Site::openDocuments(const Mount& mount, bool mayBeMissing) {
    auto root = files::DocumentRoot::open(mount.directory, settings_.index, settings_.links);
    if (!root) {
        if (mayBeMissing && root.error().systemError() == ENOENT) return {};
        return cannotOpen(mount, root.error());
    }
    auto scripts = gateway::IslandDirectory::open(mount.directory, mount.strip ? mount.prefix : "/",
                                                  gateway::IslandDirectory::Programs::interpreted,
                                                  settings_.links);
    if (!scripts) return cannotOpen(mount, scripts.error());
    for (const std::string& name : settings_.neverSent)
        root->conceal(name);
    documents_.push_back({mount.prefix, mount.strip, std::move(*root), std::move(*scripts)});
    return {};
}

std::expected<void, std::string> Site::openIslands(const Mount& mount, bool mayBeMissing) {
    auto directory = gateway::IslandDirectory::open(mount.directory, mount.prefix);
    if (directory) {
        islands_.emplace_back(mount.prefix, std::move(*directory));
        return {};
    }
    if (mayBeMissing && directory.error().systemError() == ENOENT) return {};
    return cannotOpen(mount, directory.error());
}

std::expected<void, std::string> Site::openSendable() {
    for (const Documents& documents : documents_)
        if (auto added = sendable_.add(documents.root.directory(), settings_.links); !added)
            return std::unexpected(std::move(added.error()));
    for (const std::string& directory : settings_.sendfileRoots)
        if (auto added = sendable_.add(directory, settings_.links); !added)
            return std::unexpected(std::move(added.error()));
    for (const std::string& directory : settings_.neverSent)
        sendable_.exclude(directory);
    for (const auto& [prefix, islands] : islands_)
        sendable_.exclude(islands.directory());
    return {};
}

bool Site::isNews(int status) const noexcept {
    const auto place = static_cast<std::size_t>(status);
    return place < told_->size() && !(*told_)[place].exchange(true, std::memory_order_relaxed);
}

const gateway::IslandDirectory* Site::islandsFor(std::string_view path) const noexcept {
    const auto found = std::ranges::find_if(
        islands_, [&](const auto& each) { return path.starts_with(each.first); });
    return found == islands_.end() ? nullptr : &found->second;
}

std::string Site::translate(std::string_view path) const {
    if (const auto* const islands = islandsFor(path)) return islands->fileFor(path);
    for (const Documents& documents : documents_)
        if (path.starts_with(documents.prefix))
            return text::concat(documents.root.directory(), documents.below(path));
    return {};
}

bool Site::isInPlace() const noexcept {
    const auto wanted = 2 + settings_.documentMounts.size() + settings_.islandMounts.size();
    if (documents_.size() + islands_.size() != wanted) {
        struct stat there{};
        const auto isThere = [&](const std::string& path) {
            return !path.empty() && ::stat(path.c_str(), &there) == 0;
        };
        const bool hasDocuments = documents_.size() > settings_.documentMounts.size();
        const bool hasIslands = islands_.size() > settings_.islandMounts.size();
        if (!hasDocuments && isThere(settings_.documents)) return false;
        if (!hasIslands && isThere(settings_.islands)) return false;
    }
    // The documents are among what may be sent.
    return sendable_.isInPlace() &&
           std::ranges::all_of(islands_, [](const auto& each) { return each.second.isInPlace(); });
}

} // namespace reef::site
