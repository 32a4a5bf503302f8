#pragma once

#include "http/failure.h"
#include "site/route.h"

#include <array>
#include <expected>
#include <span>
#include <string_view>

namespace reef::site {

/// What holds for one request after all its routes were looked at. Views of the site's settings.
struct Policy {
    bool ssi = true;
    compose::Dialect ssiDialect = compose::Dialect::apache;
    bool ssiExec = false;
    XBitHack xBitHack = XBitHack::off;
    bool listing = false;
    bool compress = true;
    bool warm = false;
    bool passAuthorization = false;
    bool queryArguments = false;
    bool serverTiming = false;
    bool internal = false;
    const gateway::Interpreters* interpreters = nullptr; ///< null: files are run by themselves
    const cache::Rules* responseCache = nullptr;         ///< null: no answer is kept
    bool asked = false; ///< the cache has been asked: what answers now goes past it
    std::string_view cacheControl;
    const AccessRules* access = nullptr;
    const BasicAuth* auth = nullptr;

    std::span<const TextTemplate> tryFiles; ///< paths, filled with `captures`
    Captures captures;                      ///< of the route that gave `tryFiles` or decides

    /// Every rate that the routes put on this request.
    std::span<RateLimit* const> rates() const noexcept { return {rates_.data(), rateCount_}; }

    /// Every limit that site and routes put on islands at work.
    std::span<gateway::IslandGroup* const> islandGroups() const noexcept {
        return {groups_.data(), groupCount_};
    }

    /// What site and routes say about running islands, in the order in which it holds.
    std::span<const gateway::IslandRules* const> islandRules() const noexcept {
        return {rules_.data(), ruleCount_};
    }

    /// The same for a request that has been led to its last path, and without a view of it.
    Policy settled() const noexcept {
        Policy settled = *this;
        settled.tryFiles = {};
        settled.captures = {};
        return settled;
    }

    /// Whether something is to be asked before the client is let in.
    bool guards() const noexcept { return access != nullptr || auth != nullptr || rateCount_ != 0; }

    /// The route that decides, if one does.
    const Route* decision = nullptr;

    /// Lets `conduct` stand over what held before.
    void take(const Conduct& conduct, const Captures& found) noexcept;

private:
    static constexpr std::size_t kMaxRates =
        8; ///< further ones are not looked at; the reader says so
    std::array<RateLimit*, kMaxRates> rates_{};
    std::size_t rateCount_ = 0;
    std::array<gateway::IslandGroup*, gateway::AdmissionQueue::kMaxGroups> groups_{};
    std::size_t groupCount_ = 0; ///< further ones are not looked at, as with rates
    std::array<const gateway::IslandRules*, kMaxRates> rules_{};
    std::size_t ruleCount_ = 0;
};

/// Looks at the routes for `request`, whose fields of the answer it sets. A failure: a regular
/// expression gave up, so that nobody can say what holds.
std::expected<Policy, http::Failure> policyFor(const Conduct& sites, std::span<const Route> routes,
                                               http::Request& request);

} // namespace reef::site
