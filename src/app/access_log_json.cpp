#include "app/access_log_json.h"

#include "app/access_log_text.h"
#include "base/json.h"

namespace reef::app {

namespace {

/// Members of one object, in order.
class Members {
public:
    explicit Members(std::string& out) : out_(out) { out_ += '{'; }

    void text(std::string_view name, std::string_view value) {
        if (value.empty()) return;
        begin(name);
        if (plainPrefix(value) != value.size()) return appendJsonString(out_, value);
        out_ += '"';
        out_ += value;
        out_ += '"';
    }
    template<std::integral Integer>
    void number(std::string_view name, Integer value) {
        begin(name);
        appendDecimal(out_, value);
    }
    /// A number of millionths, as a decimal fraction.
    void millionths(std::string_view name, std::int64_t value) {
        begin(name);
        appendDecimal(out_, value / 1'000'000);
        out_ += '.';
        appendPadded(value % 1'000'000, 100'000);
    }
    void time(std::string_view name, std::string_view second, std::int64_t milliseconds) {
        begin(name);
        out_ += '"';
        out_ += second;
        out_ += '.';
        appendPadded(milliseconds, 100);
        out_ += "Z\"";
    }
    void flag(std::string_view name, bool value) {
        begin(name);
        out_ += value ? "true" : "false";
    }
    void end() { out_ += '}'; }

private:
    void begin(std::string_view name) {
        if (out_.back() != '{') out_ += ',';
        out_ += '"';
        out_ += name;
        out_ += "\":";
    }
    void appendPadded(std::int64_t value, std::int64_t highest) {
        for (; highest > 0; highest /= 10)
            out_ += static_cast<char>('0' + value / highest % 10);
    }

    std::string& out_;
};

std::string_view fieldOf(const http::Request& request, std::string_view name) {
    return request.fields.find(name).value_or(std::string_view());
}

} // namespace

void appendJsonLine(std::string& out, const serve::RequestRecord& record,
                    std::chrono::system_clock::time_point began, LogClock& clock) {
    using namespace std::chrono;
    const http::Request& request = *record.request;
    const auto since = duration_cast<milliseconds>(began.time_since_epoch()).count();
    Members members(out);
    members.time("time", clock.utc(since / 1000), since % 1000);
    members.text("remote", request.endpoints->remoteAddress);
    members.text("user", request.remoteUser);
    if (!request.target.empty()) members.text("method", request.methodName);
    members.text("host", request.authority);
    members.text("target", request.target);
    members.text("protocol", protocolOf(request));
    members.number("status", record.status);
    members.number("received", record.received);
    members.number("sent", record.sent);
    members.number("content", record.content);
    members.millionths("duration", duration_cast<microseconds>(record.duration).count());
    members.text("type", record.contentType);
    members.text("referer", fieldOf(request, "Referer"));
    members.text("agent", fieldOf(request, "User-Agent"));
    members.flag("complete", record.complete);
    members.text("detail", record.detail);
    members.text("id", request.id);
    members.end();
}

} // namespace reef::app
