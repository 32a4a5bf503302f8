#include "http/framing.h"

#include "base/text.h"
#include "http/characters.h"

#include <limits>

namespace reef::http {

namespace {

using text::equalsIgnoreCase;

/// The fields that framing depends on, found in one walk over the list.
struct FramingFields {
    explicit FramingFields(const HeaderList& fields) noexcept {
        for (const HeaderField& field : fields) {
            switch (field.name.size()) { // most names differ in length already
            case 6:
                count(field, "expect", expect, expects);
                break;
            case 10:
                count(field, "connection", connection, connections);
                break;
            case 14:
                count(field, "content-length", length, lengths);
                break;
            case 17:
                count(field, "transfer-encoding", coding, codings);
                break;
            default:
                break;
            }
        }
    }

    static void count(const HeaderField& field, std::string_view name, std::string_view& value,
                      unsigned& lines) noexcept {
        if (!equalsIgnoreCase(field.name, name)) return;
        value = field.value;
        ++lines;
    }

    std::string_view expect;
    std::string_view connection;
    std::string_view length;
    std::string_view coding;
    unsigned expects = 0;
    unsigned connections = 0;
    unsigned lengths = 0;
    unsigned codings = 0;
};

std::unexpected<Rejection> reject(int status, std::string_view reason) noexcept {
    return std::unexpected(Rejection{status, reason});
}

std::expected<std::optional<ByteCount>, Rejection> lengthOf(const FramingFields& found) noexcept {
    if (found.lengths == 0) return std::nullopt;
    if (found.lengths > 1) return reject(400, "more than one Content-Length");
    const auto length = text::parseDecimal(found.length);
    constexpr auto kMost = static_cast<ByteCount>(std::numeric_limits<std::int64_t>::max());
    if (!length || *length > kMost) return reject(400, "bad Content-Length");
    return *length;
}

/// RFC 9112 6.1: a request smuggler's favourite. One line, one final `chunked` without parameters.
std::expected<bool, Rejection> codingOf(const FramingFields& found) noexcept {
    if (found.codings == 0) return false;
    if (found.codings > 1) return reject(400, "more than one Transfer-Encoding");
    if (equalsIgnoreCase(found.coding, "chunked")) return true;
    std::string_view rest = found.coding;
    bool chunked = false;
    while (!rest.empty()) {
        if (chunked) return reject(400, "chunked is not the final transfer coding");
        const auto coding = text::trim(text::takeUntil(rest, ','));
        if (!isToken(coding)) return reject(400, "bad Transfer-Encoding");
        chunked = equalsIgnoreCase(coding, "chunked");
    }
    if (!chunked || found.coding.ends_with(',')) {
        return reject(400, "chunked is not the final transfer coding");
    }
    return reject(501, "transfer coding not supported");
}

bool keepAliveOf(const FramingFields& found, const HeaderList& fields, Version version) noexcept {
    if (found.connections == 0) return version == Version::http11;
    const auto says = [&](std::string_view token) {
        if (found.connections == 1) return listHasToken(found.connection, token);
        return fields.hasToken("connection", token);
    };
    return !says("close") && (version == Version::http11 || says("keep-alive"));
}

} // namespace

std::expected<Framing, Rejection> framingOf(const HeaderList& fields, Version version) noexcept {
    const FramingFields found(fields);
    const auto length = lengthOf(found);
    if (!length) return std::unexpected(length.error());
    const auto chunked = codingOf(found);
    if (!chunked) return std::unexpected(chunked.error());
    if (*chunked && *length) return reject(400, "both Content-Length and Transfer-Encoding");
    if (*chunked && version == Version::http10)
        return reject(400, "Transfer-Encoding with HTTP/1.0");

    Framing framing;
    framing.keepAlive = keepAliveOf(found, fields, version);
    if (*chunked) framing.body = BodyKind::chunked;
    if (length->value_or(0) > 0) {
        framing.body = BodyKind::length;
        framing.length = **length;
    }
    if (found.expects > 0 && version == Version::http11) { // 1.0 knows no Expect (RFC 9110 10.1.1)
        if (found.expects > 1 || !equalsIgnoreCase(found.expect, "100-continue")) {
            return reject(417, "unknown expectation");
        }
        framing.expectContinue = framing.body != BodyKind::none;
    }
    return framing;
}

std::expected<std::optional<ByteCount>, Rejection>
contentLengthIn(const HeaderList& fields) noexcept {
    return lengthOf(FramingFields(fields));
}

std::expected<bool, Rejection> chunkedIn(const HeaderList& fields) noexcept {
    return codingOf(FramingFields(fields));
}

} // namespace reef::http
