#include "app/access_log_format.h"
#include "app/targets.h"
#include "base/text.h"
#include "base/utf8.h"
#include "fuzz.h"

#include <algorithm>
#include <string>

namespace reef::fuzz {

namespace {

struct HostileRequest {
    explicit HostileRequest(std::string_view input) {
        format = text::takeUntil(input, '\n');
        request.target = text::takeUntil(input, '\n');
        request.methodName = request.target.substr(0, request.target.find(' '));
        request.rawPath = request.target;
        request.fields.add("User-Agent", text::takeUntil(input, '\n'));
        request.fields.add("Cookie", text::takeUntil(input, '\n'));
        request.remoteUser = text::takeUntil(input, '\n');
        request.host = text::takeUntil(input, '\n');
        record.request = &request;
        record.status = 200;
        record.head = bytesOf(input);
    }

    std::string lineAs(std::string_view how) {
        const auto parsed = app::AccessLogFormat::parse(how);
        if (!parsed) {
            require(parsed.error().column >= 1 && parsed.error().column <= how.size() + 1,
                    "a fault has a place");
            require(!parsed.error().message.empty(), "and a sentence");
            return "\n";
        }
        std::string line;
        parsed->append(line, record, {}, clock);
        return line;
    }

    std::string_view format;
    Arena arena;
    http::EmptyBody body;
    http::Endpoints ends;
    http::Request request{arena, body, ends};
    serve::RequestRecord record{};
    app::LogClock clock;
};

bool isOneLine(std::string_view line) {
    return line.ends_with('\n') && std::ranges::count(line, '\n') == 1;
}

/// What a terminal or a reader of the log could take for something else.
bool isPlain(std::string_view line) {
    return std::ranges::all_of(line.substr(0, line.size() - 1),
                               [](char c) { return c >= ' ' && c < 127; });
}

} // namespace

void logLine(std::string_view input) {
    HostileRequest hostile(input);
    const std::string own = hostile.lineAs(hostile.format);
    require(own.ends_with('\n'), "a line");
    const bool plainFormat =
        hostile.format != "json" && std::ranges::all_of(hostile.format, [](char c) {
            return c >= ' ' && c < 127 && c != '\\';
        });
    if (plainFormat) require(isOneLine(own) && isPlain(own), "a request adds no line of its own");
    const std::string combined = hostile.lineAs("combined");
    require(isOneLine(combined) && isPlain(combined), "the same in Apache's format");
    const std::string json = hostile.lineAs("json");
    require(isOneLine(json), "one object a line");
    require(utf8::isValid(json), "JSON is UTF-8");
}

} // namespace reef::fuzz
