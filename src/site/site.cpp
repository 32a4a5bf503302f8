#include "site/site.h"

#include <cerrno>

namespace reef::site {

namespace {

/// Nothing there is no error: a site may have documents alone, or islands alone, or nothing yet.
template<class Directory>
Status keep(Result<Directory> opened, std::optional<Directory>& place) {
    if (opened) {
        place.emplace(std::move(*opened));
        return {};
    }
    if (opened.error().systemError() == ENOENT) return {};
    return fail(opened.error());
}

} // namespace

Result<Site> Site::load(SiteSettings settings) {
    Site site(std::move(settings));
    auto documents =
        files::DocumentRoot::open(site.settings_.documents, {"index.shtml", "index.html"});
    if (const auto kept = keep(std::move(documents), site.documents_); !kept)
        return fail(kept.error());
    auto islands =
        gateway::IslandDirectory::open(site.settings_.islands, site.settings_.islandPrefix);
    if (const auto kept = keep(std::move(islands), site.islands_); !kept) return fail(kept.error());
    return site;
}

} // namespace reef::site
