#include "site/sites.h"

#include <algorithm>

namespace reef::site {

std::expected<Sites, std::string> Sites::load(std::vector<SiteSettings> settings,
                                              IslandLimits limits) {
    Sites all;
    all.limits_ = std::move(limits);
    for (SiteSettings& each : settings) {
        for (const std::string& host : each.hosts) {
            const bool wildcard = host.starts_with("*.");
            (wildcard ? all.wildcards_ : all.names_)
                .emplace(host.substr(wildcard ? 1 : 0), all.sites_.size());
        }
        auto site = Site::load(std::move(each));
        if (!site) return std::unexpected(std::move(site.error()));
        all.sites_.push_back(std::move(*site));
    }
    return all;
}

std::expected<Sites, std::string> Sites::reopened() const {
    std::vector<SiteSettings> settings;
    for (const Site& site : sites_)
        settings.push_back(site.settings());
    auto fresh = load(std::move(settings), limits_);
    if (fresh) fresh->setGeneration(generation_);
    return fresh;
}

bool Sites::isInPlace() const noexcept {
    return std::ranges::all_of(sites_, &Site::isInPlace);
}

std::size_t Sites::indexFor(std::string_view host) const noexcept {
    if (sites_.size() == 1) return 0;
    if (host.ends_with('.')) host.remove_suffix(1); // the root of the name space, spelt out
    if (const auto found = names_.find(host); found != names_.end()) return found->second;
    for (auto dot = host.find('.'); dot != std::string_view::npos; dot = host.find('.', dot + 1)) {
        const auto found = wildcards_.find(host.substr(dot));
        if (found != wildcards_.end()) return found->second;
    }
    return 0;
}

} // namespace reef::site
