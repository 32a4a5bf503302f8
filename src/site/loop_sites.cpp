#include "site/loop_sites.h"

#include "base/log.h"
#include "base/text.h"
#include "gateway/meta_variables.h"

#include <algorithm>

namespace reef::site {

namespace {

/// Where a request goes to, before routes have rewritten it.
class Aim {
public:
    explicit Aim(const http::Request& request) noexcept
        : rawPath_(request.rawPath), path_(request.path), query_(request.query),
          hasQuery_(request.hasQuery) {}

    void restore(http::Request& request) const noexcept {
        request.rawPath = rawPath_;
        request.path = path_;
        request.query = query_;
        request.hasQuery = hasQuery_;
        request.answerFields.clear();
    }

private:
    std::string_view rawPath_;
    std::string_view path_;
    std::string_view query_;
    bool hasQuery_;
};

/// The panel answers at another address, but cookies know nothing of ports: no page, island or log
/// of a site sees its session.
void hidePanelCookies(http::Request& request) {
    const auto hides = [](const http::HeaderField& field) {
        return text::equalsIgnoreCase(field.name, "Cookie") && field.value.contains("atoll_");
    };
    if (std::ranges::none_of(request.fields, hides)) return;
    std::string all;
    for (const http::HeaderField& field : request.fields)
        if (text::equalsIgnoreCase(field.name, "Cookie"))
            all += text::concat(all.empty() ? "" : "; ", field.value);
    request.fields.remove("Cookie");
    const auto kept = gateway::withoutPanelCookies(all);
    if (!kept.empty()) request.fields.add("Cookie", request.arena->copy(kept));
}

} // namespace

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

/// On the way of a request, but at most once in `interval`: a few stat(2) calls.
void LoopSites::lookAround(std::chrono::milliseconds interval) {
    const auto now = services_.loop.now();
    if (now - lastLook_ < interval) return;
    lastLook_ = now;
    const Sites& sites = *current_->sites;
    if (sites.isInPlace()) return;
    auto fresh = sites.reopened();
    if (!fresh) return log::error("site", fresh.error());
    use(std::make_shared<const Sites>(std::move(*fresh)));
}

Task<http::Handled> LoopSites::handleNow(http::Request& request, http::ResponseSink& sink) {
    const auto generation = current_; // lives until the answer has ended
    co_return co_await generation->each[generation->sites->indexFor(request.host)].handle(request,
                                                                                          sink);
}

Task<http::Handled> LoopSites::handle(http::Request& request, http::ResponseSink& sink) {
    constexpr auto kUsual = std::chrono::seconds(1);
    constexpr auto kInDoubt = std::chrono::milliseconds(2);
    lookAround(kUsual);
    hidePanelCookies(request);
    const Generation* const asked = current_.get();
    const Aim aim(request);
    auto handled = co_await handleNow(request, sink);
    if (handled || handled.error().status != 404 || sink.begun()) co_return handled;
    lookAround(kInDoubt);
    if (current_.get() == asked) co_return handled;
    aim.restore(request);
    co_return co_await handleNow(request, sink);
}

Task<bool> LoopSites::explain(http::Request& request, const http::Failure& failure,
                              http::ResponseSink& sink) {
    const auto generation = current_;
    co_return co_await generation->each[generation->sites->indexFor(request.host)].explain(
        request, failure, sink);
}

} // namespace reef::site
