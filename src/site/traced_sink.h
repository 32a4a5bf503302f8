#pragma once

#include "http/head_filter.h"
#include "http/request.h"
#include "site/page_traces.h"

#include <string>

namespace reef::site {

/// `Server-Timing` of a page (W3C Server Timing): the page, and each of its first fragments with
/// how long it took, in milliseconds: `page;dur=52.1, f1;desc="/cgi-bin/a.pl";dur=50.9`.
std::string serverTiming(const compose::PageTrace& trace,
                         std::chrono::steady_clock::time_point now);

/// Stands before a page's sink, and notes in its record what leaves; with `timing`, tells the
/// client in Server-Timing: in the head of a page that leaves at once, else behind its content, if
/// the client says `TE: trailers` (there are clients that cannot read any). All outlive it.
class TracedSink final : public http::HeadFilter {
public:
    TracedSink(http::Request& request, http::ResponseSink& next, PageRecord& record, bool timing)
        : HeadFilter(next), request_(request), record_(record), timing_(timing) {}

    Task<Status> write(std::span<const ByteView> pieces) override;
    Task<Status> end() override;
    Task<Status> send(const http::ResponseHead& head, std::span<const ByteView> pieces) override;

private:
    http::ResponseHead changed(const http::ResponseHead& head,
                               std::optional<ByteCount> length) override;

    http::Request& request_;
    PageRecord& record_;
    bool timing_;
};

} // namespace reef::site
