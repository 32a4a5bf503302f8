#include "http/response_encoder.h"

#include "base/text.h"
#include "http/characters.h"
#include "http/status.h"

#include <algorithm>
#include <charconv>

namespace reef::http {

namespace {

/// Status line, framing, connection and the empty line; without Date, Server and the handler's
/// fields.
constexpr std::size_t kFixedBytes = 192;

/// What our side does with a handler's field of this name.
enum class Owner : std::uint8_t { handler, sink, date, server, requestId };

Owner ownerOf(std::string_view name) noexcept {
    const auto is = [&](std::string_view other) { return text::equalsIgnoreCase(name, other); };
    const auto sinkIf = [](bool ours) { return ours ? Owner::sink : Owner::handler; };
    switch (name.size()) {
    case 2:
        return sinkIf(is("te"));
    case 4:
        return is("date") ? Owner::date : Owner::handler;
    case 6:
        return is("server") ? Owner::server : Owner::handler;
    case 7:
        return sinkIf(is("trailer") || is("upgrade"));
    case 10:
        return sinkIf(is("connection") || is("keep-alive"));
    case 12:
        return is("x-request-id") ? Owner::requestId : Owner::handler;
    case 14:
        return sinkIf(is("content-length"));
    case 16:
        return sinkIf(is("proxy-connection"));
    case 17:
        return sinkIf(is("transfer-encoding"));
    default:
        return Owner::handler;
    }
}

/// What follows the fields, decided before anything is written (RFC 9112 6.3, 9.3).
struct Plan {
    Plan(int code, std::optional<ByteCount> known, const AnswerContext& context) noexcept
        : status(code), keepAlive(context.keepAlive) {
        const bool noContent = forbidsContent(status);
        if (!noContent) length = status == 205 ? ByteCount{0} : known;
        if (noContent || context.requestMethod == Method::head || length == ByteCount{0}) return;
        if (length) {
            body = BodyKind::length;
        } else if (context.requestVersion == Version::http11) {
            body = BodyKind::chunked;
        } else {
            body = BodyKind::untilClose;
            keepAlive = false;
        }
    }

    int status;
    bool keepAlive;
    BodyKind body = BodyKind::none;
    std::optional<ByteCount> length; ///< to be stated
};

/// Appends to room that is known to be large enough.
class Writer {
public:
    explicit Writer(char* room) noexcept : begin_(room), place_(room) {}

    void text(std::string_view bytes) noexcept {
        place_ = std::ranges::copy(bytes, place_).out; // memcpy refuses the null of an empty view
    }
    void number(ByteCount value) noexcept {
        place_ = std::to_chars(place_, place_ + 20, value).ptr;
    }
    void field(std::string_view name, std::string_view value) noexcept {
        text(name);
        text(": ");
        text(value);
        text("\r\n");
    }
    ByteView written() const noexcept { return {begin_, place_}; }

private:
    char* begin_;
    char* place_;
};

void writeStatusLine(Writer& out, int status, std::string_view reason) noexcept {
    const char* end = reason.data() + reason.size();
    if (findControl(reason.data(), end) != end) reason = {};
    const auto known = statusLineOf(status);
    if (reason.empty() && !known.empty()) return out.text(known);
    out.text("HTTP/1.1 ");
    out.number(static_cast<ByteCount>(status));
    out.text(" ");
    out.text(reason);
    out.text("\r\n");
}

bool isSafe(const HeaderField& field) noexcept {
    const char* end = field.value.data() + field.value.size();
    return isToken(field.name) && findControl(field.value.data(), end) == end;
}

/// Returns how many fields were not safe. Ours follow where the handler has none.
std::size_t writeFields(Writer& out, const HeaderList& fields,
                        const AnswerContext& context) noexcept {
    std::size_t dropped = 0;
    bool date = context.date.empty();
    bool server = context.server.empty();
    const bool ourId = !context.requestId.empty();
    for (const HeaderField& field : fields) {
        const Owner owner = ownerOf(field.name);
        if (owner == Owner::sink || (owner == Owner::requestId && ourId)) continue;
        if (!isSafe(field)) {
            ++dropped;
            continue;
        }
        date = date || owner == Owner::date;
        server = server || owner == Owner::server;
        out.field(field.name, field.value);
    }
    if (!date) out.field("Date", context.date);
    if (!server) out.field("Server", context.server);
    if (ourId) out.field("X-Request-Id", context.requestId);
    return dropped;
}

std::string_view trailersOf(const AnswerContext& context) noexcept {
    return context.trailers == nullptr ? std::string_view() : context.trailers->names;
}

void writeFraming(Writer& out, const Plan& plan, const AnswerContext& context) noexcept {
    if (plan.length) {
        out.text("Content-Length: ");
        out.number(*plan.length);
        out.text("\r\n");
    } else if (plan.body == BodyKind::chunked) {
        out.text("Transfer-Encoding: chunked\r\n");
        if (const auto names = trailersOf(context); !names.empty()) out.field("Trailer", names);
    }
    if (plan.status >= 200) {
        if (!plan.keepAlive)
            out.text("Connection: close\r\n");
        else if (context.requestVersion == Version::http10)
            out.text("Connection: keep-alive\r\n");
    }
    out.text("\r\n");
}

EncodedHead writeHead(const ResponseHead& head, std::optional<ByteCount> length,
                      const AnswerContext& context, char* room) noexcept {
    const bool written = head.status >= 100 && head.status <= 999;
    const Plan plan(written ? head.status : 500, length, context);
    Writer out(room);
    EncodedHead encoded;
    writeStatusLine(out, plan.status, written ? head.reason : std::string_view{});
    encoded.dropped = writeFields(out, head.fields, context);
    writeFraming(out, plan, context);
    encoded.bytes = out.written();
    encoded.body = plan.body;
    encoded.keepAlive = plan.keepAlive;
    return encoded;
}

} // namespace

std::size_t headSizeBound(const ResponseHead& head, const AnswerContext& context) noexcept {
    std::size_t bytes = kFixedBytes + head.reason.size() + context.date.size() +
                        context.server.size() + context.requestId.size() +
                        trailersOf(context).size();
    for (const HeaderField& field : head.fields)
        bytes += field.name.size() + field.value.size() + 4;
    return bytes;
}

EncodedHead encodeHead(const ResponseHead& head, const AnswerContext& context, Arena& memory) {
    return encodeHead(head, head.length, context, memory);
}

EncodedHead encodeHead(const ResponseHead& head, std::optional<ByteCount> length,
                       const AnswerContext& context, Arena& memory) {
    return writeHead(head, length, context, memory.room(headSizeBound(head, context)));
}

Result<EncodedHead> encodeHead(const ResponseHead& head, const AnswerContext& context,
                               ByteRoom room) {
    if (room.size() < headSizeBound(head, context)) return fail(Error::tooLarge);
    return writeHead(head, head.length, context, room.data());
}

} // namespace reef::http
