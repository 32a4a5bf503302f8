#include "app/pageview_log.h"

#include "base/log.h"
#include "base/text.h"

namespace reef::app {

namespace {

std::string_view purposeOf(const http::HeaderList& fields) {
    for (const char* name : {"Sec-Purpose", "Purpose", "X-Purpose", "X-Moz"}) {
        const auto value = fields.find(name);
        if (value && !value->empty()) return *value;
    }
    return {};
}

std::string_view valueOf(const http::HeaderList& fields, std::string_view name) {
    return fields.find(name).value_or(std::string_view{});
}

/// Failures of the server and its islands belong in the error log; those of clients (4xx, gone) do
/// not.
void logFailure(const serve::RequestRecord& record) {
    const bool ours = record.status >= 500 || (!record.complete && !record.clientLeft);
    const bool refusal = record.status == 403 && !record.detail.empty();
    if (!ours && !refusal) return;
    const http::Request& request = *record.request;
    log::write(ours ? log::Level::error : log::Level::warning, "request",
               text::concat(request.methodName, ' ', request.target, " -> ", record.status,
                            record.complete ? "" : " (cut)", ": ", record.detail, " (request ",
                            request.id, ")"));
}

} // namespace

void PageviewLog::record(const serve::RequestRecord& record) noexcept {
    logFailure(record);
    if (producer_ == nullptr) return;
    const http::Request& request = *record.request;
    pageviews::Event event;
    event.time =
        std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
    event.duration = std::chrono::duration_cast<std::chrono::microseconds>(record.duration);
    event.bytesSent = record.sent;
    event.status = static_cast<std::uint16_t>(record.status);
    event.method = request.methodName;
    event.host = request.authority;
    event.path = request.rawPath;
    event.query = request.query;
    event.contentType = record.contentType;
    event.referrer = valueOf(request.fields, "Referer");
    event.userAgent = valueOf(request.fields, "User-Agent");
    event.purpose = purposeOf(request.fields);
    event.fetchDestination = valueOf(request.fields, "Sec-Fetch-Dest");
    producer_->push(event);
}

} // namespace reef::app
