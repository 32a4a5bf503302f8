#include "app/access_log_format.h"

#include "app/access_log_json.h"
#include "app/access_log_text.h"
#include "base/text.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace reef::app {

namespace {

using std::chrono::duration_cast;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

template<class Duration>
std::int64_t countOf(std::chrono::nanoseconds time) {
    return duration_cast<Duration>(time).count();
}

/// A request is one line, also where a format says %n.
std::string formatted(const char* format, const std::tm& time) {
    std::array<char, 256> text;
    std::string out(text.data(), std::strftime(text.data(), text.size(), format, &time));
    std::ranges::replace_if(out, [](char c) { return c == '\n' || c == '\t'; }, ' ');
    return out;
}

std::tm localTime(std::time_t second) {
    std::tm time{};
    ::localtime_r(&second, &time);
    return time;
}

std::string_view cookieNamed(const http::HeaderList& fields, std::string_view name) {
    for (const http::HeaderField& field : fields) {
        if (!text::equalsIgnoreCase(field.name, "Cookie")) continue;
        std::string_view rest = field.value;
        while (!rest.empty()) {
            const auto pair = text::trim(text::takeUntil(rest, ';'));
            const auto equals = pair.find('=');
            if (equals != std::string_view::npos && pair.substr(0, equals) == name)
                return pair.substr(equals + 1);
        }
    }
    return {};
}

} // namespace

std::string_view LogClock::bracketed(std::time_t second) {
    if (second != bracketedSecond_) {
        // Not %b, which follows the locale.
        static constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                  "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
        const std::tm time = localTime(second);
        bracketedText_ = formatted("[%d/", time) + kMonths[time.tm_mon % 12] +
                         formatted("/%Y:%H:%M:%S %z]", time);
        bracketedSecond_ = second;
    }
    return bracketedText_;
}

std::string_view LogClock::utc(std::time_t second) {
    if (second != utcSecond_) {
        std::tm time{};
        ::gmtime_r(&second, &time);
        utcText_ = formatted("%Y-%m-%dT%H:%M:%S", time);
        utcSecond_ = second;
    }
    return utcText_;
}

std::string_view fieldInHead(std::string_view head, std::string_view name) noexcept {
    text::takeUntil(head, '\n');
    while (!head.empty()) {
        const auto line = text::takeUntil(head, '\n');
        const auto colon = line.find(':');
        if (colon != name.size() || !text::equalsIgnoreCase(line.substr(0, colon), name)) continue;
        auto value = line.substr(colon + 1);
        if (value.ends_with('\r')) value.remove_suffix(1);
        return text::trim(value);
    }
    return {};
}

/// One line in the making.
struct AccessLogFormat::Line {
    std::string& out;
    const serve::RequestRecord& record;
    std::chrono::system_clock::time_point began;
    LogClock& clock;
};

void AccessLogFormat::append(std::string& out, const serve::RequestRecord& record,
                             std::chrono::system_clock::time_point ended, LogClock& clock) const {
    const auto spent = duration_cast<std::chrono::system_clock::duration>(record.duration);
    Line line{out, record, ended - spent, clock};
    for (const Item& item : items_)
        appendItem(line, item);
    out += '\n';
}

void AccessLogFormat::appendItem(Line& line, const Item& item) {
    switch (item.kind) {
    case Kind::literal:
        line.out += item.text;
        return;
    case Kind::json:
        return appendJsonLine(line.out, line.record, line.began, line.clock);
    case Kind::requestLine:
        return appendRequestLine(line);
    case Kind::time:
    case Kind::formattedTime:
    case Kind::seconds:
    case Kind::milliseconds:
    case Kind::microseconds:
        return appendTime(line, item);
    case Kind::status:
    case Kind::contentOrDash:
    case Kind::content:
    case Kind::received:
    case Kind::sent:
    case Kind::durationMicroseconds:
    case Kind::durationMilliseconds:
    case Kind::durationSeconds:
    case Kind::localPort:
    case Kind::remotePort:
        return appendNumber(line, item.kind);
    default:
        return appendText(line, item);
    }
}

void AccessLogFormat::appendTime(Line& line, const Item& item) {
    const auto since = line.began.time_since_epoch();
    const auto second = countOf<seconds>(since);
    switch (item.kind) {
    case Kind::seconds:
        return appendDecimal(line.out, second);
    case Kind::milliseconds:
        return appendDecimal(line.out, countOf<milliseconds>(since));
    case Kind::microseconds:
        return appendDecimal(line.out, countOf<microseconds>(since));
    case Kind::formattedTime:
        line.out += formatted(item.text.c_str(), localTime(second));
        return;
    default:
        line.out += line.clock.bracketed(second);
    }
}

void AccessLogFormat::appendNumber(Line& line, Kind kind) {
    const serve::RequestRecord& record = line.record;
    const http::Endpoints& ends = *record.request->endpoints;
    switch (kind) {
    case Kind::status:
        return appendDecimal(line.out, record.status);
    case Kind::contentOrDash:
        if (record.content == 0) {
            line.out += '-';
            return;
        }
        return appendDecimal(line.out, record.content);
    case Kind::content:
        return appendDecimal(line.out, record.content);
    case Kind::received:
        return appendDecimal(line.out, record.received);
    case Kind::sent:
        return appendDecimal(line.out, record.sent);
    case Kind::durationMicroseconds:
        return appendDecimal(line.out, countOf<microseconds>(record.duration));
    case Kind::durationMilliseconds:
        return appendDecimal(line.out, countOf<milliseconds>(record.duration));
    case Kind::durationSeconds:
        return appendDecimal(line.out, countOf<seconds>(record.duration));
    case Kind::localPort:
        return appendDecimal(line.out, ends.localPort);
    default:
        return appendDecimal(line.out, ends.remotePort);
    }
}

void AccessLogFormat::appendText(Line& line, const Item& item) {
    const serve::RequestRecord& record = line.record;
    const http::Request& request = *record.request;
    const bool readable = !request.target.empty();
    const auto put = [&](std::string_view text) { appendEscapedOrDash(line.out, text); };
    switch (item.kind) {
    case Kind::remoteAddress:
        return put(request.endpoints->remoteAddress);
    case Kind::localAddress:
        return put(request.endpoints->localAddress);
    case Kind::user:
        return put(request.remoteUser);
    case Kind::method:
        return put(readable ? request.methodName : std::string_view());
    case Kind::path:
        return put(request.rawPath);
    case Kind::query:
        if (request.hasQuery) line.out += '?';
        return appendEscaped(line.out, request.query);
    case Kind::protocol:
        return put(protocolOf(request));
    case Kind::requestField:
        return put(request.fields.find(item.text).value_or(std::string_view()));
    case Kind::responseField:
        return put(fieldInHead(textOf(record.head), item.text));
    case Kind::cookie:
        return put(cookieNamed(request.fields, item.text));
    case Kind::host:
        return put(request.host);
    case Kind::requestId:
        return put(request.id);
    case Kind::connection:
        return put(record.complete ? "+" : "X");
    default:
        return put({});
    }
}

void AccessLogFormat::appendRequestLine(Line& line) {
    const http::Request& request = *line.record.request;
    if (request.target.empty()) {
        line.out += '-'; // it could not be read
        return;
    }
    appendEscaped(line.out, request.methodName);
    line.out += ' ';
    appendEscaped(line.out, request.target);
    line.out += ' ';
    line.out += protocolOf(request);
}

} // namespace reef::app
