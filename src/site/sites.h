#pragma once

#include "gateway/admission_queue.h"
#include "gateway/island_rules.h"
#include "site/site.h"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace reef::site {

/// Limits of islands, of all sites together.
struct IslandLimits {
    std::string spool = "/tmp"; ///< directory for unlinked files of large contents
    gateway::AdmissionLimits admission;
    gateway::IslandRules rules; ///< where site and routes say nothing
    bool foreignUsers = false;  ///< some islands run as another user than the server
};

/// All sites of a server: an immutable snapshot, replaced as a whole when the configuration is read
/// again.
class Sites {
public:
    /// The first of `settings` is the site for hosts that no other names.
    static std::expected<Sites, std::string> load(std::vector<SiteSettings> settings,
                                                  IslandLimits limits);

    /// Which text of the configuration they come from: answers that are kept by another one answer
    /// nobody. 0 unless it was set.
    std::uint64_t generation() const noexcept { return generation_; }
    void setGeneration(std::uint64_t generation) noexcept { generation_ = generation; }

    /// The same settings, with the directories as they are now.
    std::expected<Sites, std::string> reopened() const;
    bool isInPlace() const noexcept; ///< as Site::isInPlace

    std::size_t size() const noexcept { return sites_.size(); }
    const Site& operator[](std::size_t index) const { return sites_.at(index); }
    const IslandLimits& limits() const noexcept { return limits_; }

    /// The site for a host (lower case, without port): the one that names it, else the one with the
    /// longest wildcard that fits ("*.example.org" fits names below example.org), else the first.
    std::size_t indexFor(std::string_view host) const noexcept;

private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const noexcept {
            return std::hash<std::string_view>{}(text);
        }
    };
    using Index = std::unordered_map<std::string, std::size_t, Hash, std::equal_to<>>;

    std::vector<Site> sites_;
    IslandLimits limits_;
    std::uint64_t generation_ = 0;
    Index names_;
    Index wildcards_; ///< ".example.org"
};

} // namespace reef::site
