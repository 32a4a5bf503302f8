#pragma once

#include "serve/request_log.h"

#include <vector>

namespace reef::app {

/// Tells each request to several logs, in order. They outlive it.
class RequestLogs final : public serve::RequestLog {
public:
    void add(serve::RequestLog& log) { logs_.push_back(&log); }

    void record(const serve::RequestRecord& record) noexcept override {
        for (serve::RequestLog* log : logs_)
            log->record(record);
    }

private:
    std::vector<serve::RequestLog*> logs_;
};

} // namespace reef::app
