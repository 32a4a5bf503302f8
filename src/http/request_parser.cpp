#include "http/request_parser.h"

#include "base/text.h"
#include "http/authority.h"
#include "http/request_line.h"

namespace reef::http {

namespace {
constexpr std::size_t kTypicalFields = 16;
}

RequestParser::RequestParser(HeadLimits limits) noexcept
    : limits_(limits), fields_(FieldLimits{limits.head, limits.fields}) {}

Verdict RequestParser::parse(ByteView received, Request& request) {
    const bool haveLine = base_ != nullptr;
    if (!haveLine) {
        const Verdict line = readRequestLine(received, request);
        if (line != Verdict::complete) return line;
    } else if (base_ != received.data()) {
        takeRequestLine(received, request); // again, for views of the place it has moved to
    }
    return readFields(received, request);
}

Verdict RequestParser::readRequestLine(ByteView received, Request& request) {
    for (;;) {
        const Verdict line = line_.find(received, limits_.requestLine);
        if (line == Verdict::incomplete) return line;
        if (line == Verdict::rejected) {
            if (line_.tooLong()) return reject({414, "request line too long"});
            return reject({400, line_.reason()});
        }
        if (line_.end() > line_.begin()) break;
        if (line_.begin() > 0) return reject({400, "empty request line"});
        line_.startAt(line_.next());
    }
    request.fields.reserve(kTypicalFields);
    fields_.startAt(line_.next());
    return takeRequestLine(received, request);
}

Verdict RequestParser::takeRequestLine(ByteView received, Request& request) noexcept {
    base_ = received.data();
    const std::string_view line(base_ + line_.begin(), line_.end() - line_.begin());
    const auto taken = parseRequestLine(line, limits_.nonAsciiTargets, request);
    return taken ? Verdict::complete : reject(taken.error());
}

Verdict RequestParser::readFields(ByteView received, Request& request) {
    const Verdict section = fields_.parse(received, request.fields);
    if (section == Verdict::incomplete) return section;
    if (section == Verdict::rejected) return reject(fields_.rejection());
    if (takeHost(request) == Verdict::rejected) return Verdict::rejected;
    const auto framing = framingOf(request.fields, request.version);
    if (!framing) return reject(framing.error());
    framing_ = *framing;
    return Verdict::complete;
}

/// RFC 9112 3.2: exactly one valid Host with 1.1, at most one with 1.0.
Verdict RequestParser::takeHost(Request& request) {
    std::string_view value;
    unsigned lines = 0;
    for (const HeaderField& field : request.fields) {
        if (field.name.size() != 4 || !text::equalsIgnoreCase(field.name, "host")) continue;
        value = field.value;
        ++lines;
    }
    if (lines > 1) return reject({400, "more than one Host"});
    if (lines == 0 && request.version == Version::http11) return reject({400, "no Host"});
    const bool inTarget = !request.authority.empty();
    if (lines == 1) {
        const auto host = hostOf(value, *request.arena);
        if (!host) return reject({400, "bad Host"});
        request.host = *host;
    }
    if (!inTarget) {
        request.authority = value;
        return Verdict::complete;
    }
    const auto host = hostOf(request.authority, *request.arena);
    if (!host) return reject({400, "bad request target"});
    if (request.method == Method::connect && portOf(request.authority).empty()) {
        return reject({400, "bad request target"});
    }
    request.host = *host;
    request.fields.set("Host", request.authority);
    return Verdict::complete;
}

Verdict RequestParser::reject(Rejection why) noexcept {
    rejection_ = why;
    return Verdict::rejected;
}

} // namespace reef::http
