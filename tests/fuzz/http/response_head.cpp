#include "base/text.h"
#include "fuzz.h"
#include "http/field_lines.h"
#include "http/response_encoder.h"
#include "http/targets.h"

namespace reef::fuzz {

namespace {

using namespace http;

void check(const ResponseHead& head, const AnswerContext& context) {
    Arena arena;
    const auto encoded = encodeHead(head, context, arena);
    require(encoded.bytes.size() <= headSizeBound(head, context), "the bound holds");
    const auto text = textOf(encoded.bytes);
    require(text.starts_with("HTTP/1.1 "), "a status line");
    const auto line = text.find("\r\n");
    require(line >= 13 && line < 60, "a short status line");

    HeaderList fields(arena);
    FieldLines lines({text.size(), 1000});
    lines.startAt(line + 2);
    require(lines.parse(encoded.bytes, fields) == Verdict::complete,
            "what we write, we would take");
    require(lines.length() == text.size(), "nothing follows the head");
    require(fields.size() <= head.fields.size() - encoded.dropped + 4, "no line that was not set");
    require(fields.count("transfer-encoding") + fields.count("content-length") <= 1, "one framing");
    require((encoded.body == BodyKind::chunked) == fields.contains("transfer-encoding"),
            "chunked is said");
    if (encoded.body == BodyKind::untilClose) require(!encoded.keepAlive, "the end is the end");
    if (head.status >= 200)
        require(fields.hasToken("connection", "close") == !encoded.keepAlive, "said");
}

} // namespace

void responseHead(std::string_view input) {
    const ExactCopy copy(input);
    std::string_view rest(copy.view().data(), copy.view().size());
    Arena arena;
    ResponseHead head(arena);
    const auto status = text::parseDecimal(text::takeUntil(rest, '\n'));
    head.status = static_cast<int>(status.value_or(200) % 1200);
    while (!rest.empty() && head.fields.size() < 100) {
        auto line = text::takeUntil(rest, '\n');
        const auto name = text::takeUntil(line, ':');
        head.fields.add(name, line);
    }
    for (const auto length : {std::optional<ByteCount>(), std::optional<ByteCount>(input.size())}) {
        head.length = length;
        for (const Version version : {Version::http10, Version::http11}) {
            for (const Method method : {Method::get, Method::head}) {
                AnswerContext context(method, version, input.size() % 2 == 0);
                context.date = "Sun, 06 Nov 1994 08:49:37 GMT";
                context.server = "Atoll";
                check(head, context);
            }
        }
    }
}

} // namespace reef::fuzz
