// What the HTTP codecs cost a request. Baselines: one plain walk over the same bytes (the least
// that a parser can do), and POCO's own request reader and date formatter.
#include "http/chunked.h"
#include "http/conditional.h"
#include "http/date.h"
#include "http/media_type.h"
#include "http/path.h"
#include "http/range.h"
#include "http/request_parser.h"
#include "http/response_encoder.h"
#include "measure.h"

#include <Poco/DateTimeFormat.h>
#include <Poco/DateTimeFormatter.h>
#include <Poco/MemoryStream.h>
#include <Poco/Net/HTTPRequest.h>
#include <Poco/Timestamp.h>

#include <string>

using namespace reef;
using namespace reef::http;
using bench::keep;
using bench::report;

namespace {

const std::string kSmall = "GET /hello.html HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\r\n";

const std::string kBrowser =
    "GET /islands/page.shtml?utm_source=x&id=42 HTTP/1.1\r\n"
    "Host: www.example.org\r\n"
    "Connection: keep-alive\r\n"
    "sec-ch-ua: \"Chromium\";v=\"130\", \"Not?A_Brand\";v=\"99\"\r\n"
    "sec-ch-ua-mobile: ?0\r\n"
    "sec-ch-ua-platform: \"Linux\"\r\n"
    "Upgrade-Insecure-Requests: 1\r\n"
    "User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/130.0 Safari/537.36\r\n"
    "Accept: "
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8\r\n"
    "Sec-Fetch-Site: none\r\n"
    "Sec-Fetch-Mode: navigate\r\n"
    "Sec-Fetch-Dest: document\r\n"
    "Accept-Encoding: gzip, deflate, br, zstd\r\n"
    "Accept-Language: en-US,en;q=0.9,de;q=0.8\r\n"
    "Cookie: session=0123456789abcdef0123456789abcdef; theme=dark\r\n"
    "If-None-Match: \"65f0c1a2-1f4\"\r\n\r\n";

struct Parsing {
    void operator()() {
        arena.release();
        Request request(arena, body, endpoints);
        RequestParser parser;
        keep(parser.parse(bytesOf(head), request));
        keep(request);
    }
    const std::string& head;
    Arena arena;
    EmptyBody body;
    Endpoints endpoints;
};

void plainWalk(const std::string& head) {
    std::size_t lines = 0;
    for (const char c : head) {
        lines += c == '\n' ? 1U : 0U;
        asm volatile("" : "+r"(lines)); // one byte at a time, as a simple parser must
    }
    keep(lines);
}

void pocoRead(const std::string& head) {
    Poco::MemoryInputStream stream(head.data(), static_cast<std::streamsize>(head.size()));
    Poco::Net::HTTPRequest request;
    request.read(stream);
    keep(request);
}

void benchRequests() {
    for (const std::string* head : {&kSmall, &kBrowser}) {
        std::printf("request head of %zu bytes\n", head->size());
        const double poco = report("  POCO HTTPRequest::read", [&] { pocoRead(*head); });
        report("  one plain walk over the bytes", [&] { plainWalk(*head); }, poco);
        Parsing parsing{*head, {}, {}, {}};
        report("  RequestParser", parsing, poco);
    }
}

void benchResponses() {
    std::printf("response head\n");
    Arena arena;
    const auto date = DateText(1790000000);
    AnswerContext context(Method::get, Version::http11, true);
    context.date = date.view();
    context.server = "Atoll";
    ResponseHead head(arena, 200);
    head.length = 500;
    head.fields.add("Content-Type", "text/html; charset=utf-8");
    head.fields.add("ETag", "\"65f0c1a2-1f4\"");
    head.fields.add("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT");
    head.fields.add("Accept-Ranges", "bytes");
    std::string room(headSizeBound(head, context), ' ');
    const ByteView finished = encodeHead(head, context, arena).bytes;
    const double copy = report("  memcpy of the finished head", [&] {
        std::ranges::copy(finished, room.data());
        keep(room);
    });
    report(
        "  encodeHead, 4 fields", [&] { keep(encodeHead(head, context, ByteRoom(room))); }, copy);
}

void benchPieces() {
    std::printf("pieces\n");
    Arena arena;
    report("  decodePath, plain", [&] { keep(decodePath("/islands/page.shtml", arena)); });
    report("  decodePath, escapes and dots", [&] {
        arena.release();
        keep(decodePath("/a/./b%20c//../islands/page%2eshtml", arena));
    });
    report("  mediaTypeOf", [] { keep(mediaTypeOf("/srv/www/islands/page.shtml")); });
    HeaderList fields(arena);
    fields.add("Host", "a");
    fields.add("User-Agent", "b");
    fields.add("If-None-Match", "\"65f0c1a2-1f4\"");
    report("  evaluate If-None-Match", [&] {
        keep(evaluate(Method::get, fields, Validators("\"65f0c1a2-1f4\"", 784111777, 1790000000)));
    });
    report("  rangesFor", [] { keep(rangesFor("bytes=100-199", 5000)); });
    const double poco = report("  POCO date", [] {
        keep(Poco::DateTimeFormatter::format(Poco::Timestamp::fromEpochTime(1790000000),
                                             Poco::DateTimeFormat::HTTP_FORMAT));
    });
    report("  DateText", [] { keep(DateText(1790000000)); }, poco);
    report("  parseDate", [] { keep(parseDate("Sun, 06 Nov 1994 08:49:37 GMT", 1790000000)); });
    const std::string body = "1000\r\n" + std::string(4096, 'x') + "\r\n0\r\n\r\n";
    report("  ChunkedDecoder, 4 KiB chunk and end", [&] {
        arena.release();
        ChunkedDecoder decoder(arena);
        ByteView input = bytesOf(body);
        while (!input.empty())
            input = input.subspan(decoder.take(input).consumed);
        keep(decoder.state());
    });
}

} // namespace

// Without an argument everything; else one part: `bench_http requests`.
int main(int count, char** words) {
    const std::string_view part = count > 1 ? words[1] : "";
    if (part.empty() || part == "requests") benchRequests();
    if (part.empty() || part == "responses") benchResponses();
    if (part.empty() || part == "pieces") benchPieces();
}
