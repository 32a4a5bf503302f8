#include "site/page_traces.h"

#include <algorithm>

namespace reef::site {

bool PageTraces::isDue() noexcept {
    const auto now = std::chrono::duration_cast<std::chrono::seconds>(
                         std::chrono::steady_clock::now().time_since_epoch())
                         .count();
    if (second_.exchange(now, std::memory_order_relaxed) != now)
        taken_.store(0, std::memory_order_relaxed);
    return taken_.fetch_add(1, std::memory_order_relaxed) < kPagesPerSecond;
}

void PageTraces::keep(PageRecord record) {
    auto kept = std::make_shared<const PageRecord>(std::move(record));
    Record oldest; // freed without the lock
    const std::scoped_lock lock(mutex_);
    pages_.push_front(std::move(kept));
    if (pages_.size() <= kPages) return;
    oldest = std::move(pages_.back());
    pages_.pop_back();
}

std::vector<PageTraces::Record> PageTraces::recent() const {
    const std::scoped_lock lock(mutex_);
    return {pages_.begin(), pages_.end()};
}

PageTraces::Record PageTraces::find(std::string_view requestId) const {
    const std::scoped_lock lock(mutex_);
    const auto found = std::ranges::find_if(
        pages_, [&](const Record& page) { return page->requestId == requestId; });
    return found == pages_.end() ? nullptr : *found;
}

TracedPage::TracedPage(PageTraces& traces, const http::Request& request) : traces_(traces) {
    if (!request.traced && !traces.isDue()) return;
    record_ = std::make_unique<PageRecord>();
    record_->target = request.target.substr(0, 1000);
    record_->host = request.host;
    record_->requestId = request.id;
    record_->when = std::chrono::system_clock::now();
}

/// What an island wrote without including anything was no page.
TracedPage::~TracedPage() {
    if (record_ == nullptr || record_->trace.fragments.empty()) return;
    record_->trace.ended = std::chrono::steady_clock::now();
    traces_.keep(std::move(*record_));
}

} // namespace reef::site
