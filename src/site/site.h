#pragma once

#include "base/result.h"
#include "files/document_root.h"
#include "gateway/island_directory.h"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

namespace reef::site {

/// What a site is made of, as the configuration says.
struct SiteSettings {
    std::string documents; ///< absolute directory of the documents
    std::string islands;   ///< absolute directory of the islands
    std::string islandPrefix = "/cgi-bin/";
    std::string spool = "/tmp"; ///< directory for unlinked files of large contents
    bool ssi = true;
    std::size_t maxIslands = 32; ///< at work at once, per loop
    std::chrono::milliseconds islandTimeout = std::chrono::seconds(60);
};

/// An immutable snapshot of a site, shared by all loops. A directory that does not exist is a site
/// without documents, or without islands.
class Site {
public:
    /// Error: system (a directory that is there and cannot be opened).
    static Result<Site> load(SiteSettings settings);

    const SiteSettings& settings() const noexcept { return settings_; }
    const std::optional<files::DocumentRoot>& documents() const noexcept { return documents_; }
    const std::optional<gateway::IslandDirectory>& islands() const noexcept { return islands_; }

private:
    explicit Site(SiteSettings settings) : settings_(std::move(settings)) {}

    SiteSettings settings_;
    std::optional<files::DocumentRoot> documents_;
    std::optional<gateway::IslandDirectory> islands_;
};

} // namespace reef::site
