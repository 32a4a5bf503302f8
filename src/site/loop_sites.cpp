#include "site/loop_sites.h"

namespace reef::site {

LoopSites::Generation::Generation(LoopServices& services, std::shared_ptr<const Sites> snapshot)
    : sites(std::move(snapshot)), islands(services, sites->limits()) {
    for (std::size_t i = 0; i != sites->size(); ++i)
        each.emplace_back((*sites)[i], services, islands);
}

LoopSites::LoopSites(LoopServices& services, std::shared_ptr<const Sites> sites)
    : services_(services), current_(std::make_shared<Generation>(services, std::move(sites))) {}

void LoopSites::use(std::shared_ptr<const Sites> sites) {
    current_ = std::make_shared<Generation>(services_, std::move(sites));
}

Task<http::Handled> LoopSites::handle(http::Request& request, http::ResponseSink& sink) {
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
