#pragma once

#include "serve/request_log.h"

namespace reef::app {

/// Tells each request of a loop to the log that counts it, and to one that writes it down, if there
/// is one. They outlive it.
class RequestLogs final : public serve::RequestLog {
public:
    explicit RequestLogs(serve::RequestLog& counter) noexcept : counter_(counter) {}

    /// From the next record on. Null: no such log is kept.
    void setAccessLog(serve::RequestLog* log) noexcept { accessLog_ = log; }

    void record(const serve::RequestRecord& record) noexcept override {
        counter_.record(record);
        if (accessLog_ != nullptr) accessLog_->record(record);
    }

private:
    serve::RequestLog& counter_;
    serve::RequestLog* accessLog_ = nullptr;
};

} // namespace reef::app
