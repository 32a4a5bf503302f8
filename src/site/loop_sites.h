#pragma once

#include "site/loop_site.h"

#include <chrono>
#include <deque>
#include <memory>

namespace reef::site {

/// All sites on one loop: finds the one that a request's host names. A directory of a site that is
/// replaced as a whole (`mv new www`, a link that points elsewhere) is noticed within a second,
/// and at once when something is not found.
/// `use` puts another snapshot in place; requests that have begun go on with the one they began
/// with.
class LoopSites final : public http::Handler {
public:
    /// Services outlive it.
    LoopSites(LoopServices& services, std::shared_ptr<const Sites> sites);

    /// On the loop's thread.
    void use(std::shared_ptr<const Sites> sites);

    Task<http::Handled> handle(http::Request& request, http::ResponseSink& sink) override;
    Task<bool> explain(http::Request& request, const http::Failure& failure,
                       http::ResponseSink& sink) override;

private:
    /// One snapshot, and all that this loop keeps for it.
    struct Generation {
        Generation(LoopServices& services, std::shared_ptr<const Sites> snapshot);

        std::shared_ptr<const Sites> sites;
        LoopIslands islands;
        std::deque<LoopSite> each; ///< by index of the site
    };
    static std::shared_ptr<Generation> made(LoopServices& services,
                                            std::shared_ptr<const Sites> snapshot);

    void lookAround(std::chrono::milliseconds interval);
    Task<http::Handled> handleNow(http::Request& request, http::ResponseSink& sink);

    LoopServices& services_;
    std::shared_ptr<Generation> current_;
    std::chrono::steady_clock::time_point lastLook_{};
};

} // namespace reef::site
