#include "site/loop_sites.h"

#include "base/log.h"

namespace reef::site {

LoopSites::Generation::Generation(LoopServices& services, std::shared_ptr<const Sites> snapshot)
    : sites(std::move(snapshot)), islands(services, sites->limits()) {
    for (std::size_t i = 0; i != sites->size(); ++i)
        each.emplace_back((*sites)[i], services, islands);
}

LoopSites::LoopSites(LoopServices& services, std::shared_ptr<const Sites> sites)
    : services_(services), current_(made(services, std::move(sites))) {}

std::shared_ptr<LoopSites::Generation> LoopSites::made(LoopServices& services,
                                                       std::shared_ptr<const Sites> snapshot) {
    auto generation = std::make_shared<Generation>(services, std::move(snapshot));
    for (LoopSite& site : generation->each)
        site.keepAnswers(generation, generation->sites->generation());
    return generation;
}

void LoopSites::use(std::shared_ptr<const Sites> sites) {
    current_ = made(services_, std::move(sites));
}

/// On the way of a request, but once a second: a few stat(2) calls.
void LoopSites::lookAround() {
    constexpr auto kInterval = std::chrono::seconds(1);
    const auto now = services_.loop.now();
    if (now < nextLook_) return;
    nextLook_ = now + kInterval;
    const Sites& sites = *current_->sites;
    if (sites.isInPlace()) return;
    auto fresh = sites.reopened();
    if (!fresh) return log::error("site", fresh.error());
    use(std::make_shared<const Sites>(std::move(*fresh)));
}

Task<http::Handled> LoopSites::handle(http::Request& request, http::ResponseSink& sink) {
    lookAround();
    const auto generation = current_; // lives until the answer has ended
    co_return co_await generation->each[generation->sites->indexFor(request.host)].handle(request,
                                                                                          sink);
}

Task<bool> LoopSites::explain(http::Request& request, const http::Failure& failure,
                              http::ResponseSink& sink) {
    const auto generation = current_;
    co_return co_await generation->each[generation->sites->indexFor(request.host)].explain(
        request, failure, sink);
}

} // namespace reef::site
