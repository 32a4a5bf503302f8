#pragma once

#include "compose/page_trace.h"
#include "http/request.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace reef::site {

/// A page that was composed, with the course of all that it included.
struct PageRecord {
    std::string target; ///< as the client sent it: hostile text
    std::string host;
    std::string requestId;
    std::chrono::system_clock::time_point when; ///< it began
    int status = 0;                             ///< 0: nothing was sent
    ByteCount bytes = 0;                        ///< of content, before it was compressed
    bool complete = false;                      ///< false: the client has left, or it was cut
    compose::PageTrace trace;
};

/// The last pages, for `atoll explain` and the panel: a ring of all loops, bounded in pages and in
/// pages a second. Any thread.
class PageTraces {
public:
    static constexpr std::size_t kPages = 100;
    static constexpr int kPagesPerSecond = 20; ///< of a flood of pages, the others leave no trace

    using Record = std::shared_ptr<const PageRecord>;

    /// Whether a page that begins now is to be traced.
    bool isDue() noexcept;

    void keep(PageRecord record);

    /// The latest first.
    std::vector<Record> recent() const;

    /// Null: it has gone, or was none.
    Record find(std::string_view requestId) const;

private:
    std::atomic<std::int64_t> second_{0};
    std::atomic<int> taken_{0}; ///< in that second
    mutable std::mutex mutex_;
    std::deque<Record> pages_; // guarded by mutex_
};

/// Follows one page of a client from its beginning to its end, if it is to be traced. Lives in the
/// frame that answers; all that it is given outlives it.
class TracedPage {
public:
    TracedPage(PageTraces& traces, const http::Request& request);
    ~TracedPage();
    TracedPage(const TracedPage&) = delete;
    TracedPage& operator=(const TracedPage&) = delete;

    /// For the composer; null: it is not traced.
    compose::PageTrace* trace() noexcept { return record_ ? &record_->trace : nullptr; }
    PageRecord* record() noexcept { return record_.get(); }

private:
    PageTraces& traces_;
    std::unique_ptr<PageRecord> record_;
};

} // namespace reef::site
