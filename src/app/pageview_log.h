#pragma once

#include "pageviews/intake.h"
#include "serve/request_log.h"

namespace reef::app {

/// Between the server and its records: a line in the error log for what failed, an event for the
/// pageview recorder. One per loop.
class PageviewLog final : public serve::RequestLog {
public:
    /// `producer` may be null: no pageviews are recorded.
    explicit PageviewLog(pageviews::Producer* producer) noexcept : producer_(producer) {}

    void record(const serve::RequestRecord& record) noexcept override;

private:
    pageviews::Producer* producer_;
};

} // namespace reef::app
