#include "app/never_sent.h"

namespace reef::app {

namespace {

using Names = std::vector<std::string>;

void addPasswords(const site::Conduct& conduct, Names& names) {
    if (!conduct.auth || *conduct.auth == nullptr) return;
    if (const std::string& file = (*conduct.auth)->file(); !file.empty()) names.push_back(file);
}

void addThoseOf(const site::SiteSettings& site, Names& names) {
    if (!site.islands.empty()) names.push_back(site.islands);
    for (const site::Mount& mount : site.islandMounts)
        names.push_back(mount.directory);
    addPasswords(site.conduct, names);
    for (const site::Route& route : site.routes)
        addPasswords(route.conduct, names);
}

} // namespace

void fillNeverSent(Config& config) {
    Names names{config.data(), config.file()};
    if (config.accessLog) names.push_back(config.accessLog->file);
    for (const site::SiteSettings& site : config.sites)
        addThoseOf(site, names);
    for (site::SiteSettings& site : config.sites)
        site.neverSent = names;
}

} // namespace reef::app
