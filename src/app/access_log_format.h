#pragma once

#include "serve/request_log.h"

#include <chrono>
#include <cstdint>
#include <ctime>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace reef::app {

/// What is wrong with a format string, and where: `column` counts bytes from 1.
struct AccessLogFormatError {
    std::size_t column = 0;
    std::string message;
};

/// The text of a second, remembered: most lines of a busy server need the same. One per loop.
class LogClock {
public:
    /// "[02/Jan/2026:15:04:05 +0100]", in local time.
    std::string_view bracketed(std::time_t second);
    /// "2026-01-02T15:04:05", in UTC.
    std::string_view utc(std::time_t second);

private:
    std::time_t bracketedSecond_ = -1;
    std::string bracketedText_;
    std::time_t utcSecond_ = -1;
    std::string utcText_;
};

/// How a request is written as one line: "common", "combined" (Apache's), "json" (an object a
/// line), or a string with Apache's directives:
///
///     %h %a  client's address           %l  -                     %u  user (Basic authentication)
///     %t     time of arrival            %{…}t  the same: strftime's, or sec, msec, usec
///     %r     request line               %m %U %q %H  method, path, ?query, protocol
///     %s %>s status                     %b %B  bytes of content; %b writes - for none
///     %I %O  bytes received, sent       %D %T  microseconds, seconds; %{ms}T %{us}T %{s}T
///     %{Name}i %{Name}o  field of request, of response     %{Name}C  cookie
///     %v %V  host asked for             %p %{remote}p  ports     %A  our address
///     %L     request id                 %X  + kept whole, X cut           %%  a percent sign
///
/// What comes from outside is escaped: quotes and backslashes with a backslash, controls and bytes
/// above 126 as \xHH; what is missing is "-". JSON is always valid UTF-8. Immutable; any thread.
class AccessLogFormat {
public:
    static std::expected<AccessLogFormat, AccessLogFormatError> parse(std::string_view text);

    /// Appends the line and its line feed.
    void append(std::string& out, const serve::RequestRecord& record,
                std::chrono::system_clock::time_point ended, LogClock& clock) const;

private:
    friend class AccessLogFormatParser;

    enum class Kind : std::uint8_t {
        literal,
        json,
        remoteAddress,
        localAddress,
        dash,
        user,
        time,
        formattedTime,
        seconds,
        milliseconds,
        microseconds,
        requestLine,
        method,
        path,
        query,
        protocol,
        status,
        contentOrDash,
        content,
        received,
        sent,
        durationMicroseconds,
        durationMilliseconds,
        durationSeconds,
        requestField,
        responseField,
        cookie,
        host,
        localPort,
        remotePort,
        requestId,
        connection,
    };
    struct Item {
        Kind kind;
        std::string text; ///< literal, name of a field, format of time
    };
    struct Line;

    static void appendItem(Line& line, const Item& item);
    static void appendTime(Line& line, const Item& item);
    static void appendNumber(Line& line, Kind kind);
    static void appendText(Line& line, const Item& item);
    static void appendRequestLine(Line& line);

    std::vector<Item> items_;
};

/// The value of a field in an encoded head ("HTTP/1.1 200 OK\r\nName: value\r\n…"); "" when it has
/// none.
std::string_view fieldInHead(std::string_view head, std::string_view name) noexcept;

} // namespace reef::app
