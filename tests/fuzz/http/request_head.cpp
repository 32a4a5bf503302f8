#include "fuzz.h"
#include "http/characters.h"
#include "http/path.h"
#include "http/request_parser.h"
#include "http/targets.h"

namespace reef::fuzz {

namespace {

using namespace http;

struct Head {
    explicit Head(HeadLimits limits) : parser(limits) {}

    void whole(std::string_view input) {
        place = std::make_unique<ExactCopy>(input);
        verdict = parser.parse(place->view(), request);
    }

    void pieces(std::string_view input) {
        Cuts cuts(input);
        std::size_t end = 0;
        do {
            end = std::min(input.size(), end + cuts.next() * (1 + end / 64));
            auto moved = std::make_unique<ExactCopy>(input.substr(0, end));
            place = std::move(moved);
            verdict = parser.parse(place->view(), request);
        } while (verdict == Verdict::incomplete && end < input.size());
    }

    Arena arena;
    EmptyBody body;
    Endpoints endpoints;
    Request request{arena, body, endpoints};
    RequestParser parser;
    Verdict verdict = Verdict::incomplete;
    std::unique_ptr<ExactCopy> place;
};

void requireSame(const Head& a, const Head& b) {
    require(a.verdict == b.verdict, "the verdict does not depend on the pieces");
    require(a.parser.rejection().status == b.parser.rejection().status, "same status");
    require(a.parser.rejection().reason == b.parser.rejection().reason, "same reason");
    require(a.request.target == b.request.target, "same target");
    require(a.request.methodName == b.request.methodName, "same method");
    if (a.verdict != Verdict::complete) return;
    require(a.parser.headLength() == b.parser.headLength(), "same length");
    require(a.request.host == b.request.host, "same host");
    require(a.request.rawPath == b.request.rawPath, "same path");
    require(a.request.query == b.request.query, "same query");
    require(std::ranges::equal(a.request.fields, b.request.fields,
                               [](const HeaderField& x, const HeaderField& y) {
                                   return x.name == y.name && x.value == y.value;
                               }),
            "same fields");
}

void requireLines(std::string_view head) {
    require(head.ends_with("\r\n\r\n"), "a head ends in an empty line");
    for (std::size_t i = 0; i < head.size(); ++i) {
        if (head[i] == '\n') require(i > 0 && head[i - 1] == '\r', "LF comes after CR alone");
        if (head[i] == '\r') require(head[i + 1] == '\n', "CR comes before LF alone");
    }
}

void requirePromises(const Head& head, std::string_view input) {
    const Request& request = head.request;
    requireLines(input.substr(0, head.parser.headLength()));
    require(isToken(request.methodName), "the method is a token");
    require(std::ranges::all_of(request.target, [](char c) { return isIn(c, targetChar); }),
            "plain target");
    for (const HeaderField& field : request.fields) {
        require(isToken(field.name), "names are tokens");
        require(std::ranges::all_of(field.value, [](char c) { return isIn(c, textChar); }),
                "no controls");
    }
    const bool needsHost = request.version == Version::http11 || !request.authority.empty();
    require(request.fields.count("host") == (needsHost ? 1U : 0U), "one Host");
    require(request.host.empty() != needsHost, "a host");
    const auto codings = request.fields.count("transfer-encoding");
    require(codings + request.fields.count("content-length") <= 1, "one framing");
    require((head.parser.framing().body == BodyKind::chunked) == (codings == 1), "chunked is said");
    require((head.parser.framing().body == BodyKind::length) == (head.parser.framing().length > 0),
            "length");
    Arena memory;
    if (request.rawPath.starts_with('/'))
        (void)decodePath(request.rawPath, memory);
    else
        require(request.rawPath.empty() || request.rawPath == "*", "a path, a star or nothing");
}

void check(std::string_view input, HeadLimits limits) {
    Head whole(limits);
    whole.whole(input);
    Head pieces(limits);
    pieces.pieces(input);
    requireSame(whole, pieces);
    if (whole.verdict == Verdict::complete) requirePromises(whole, input);
}

} // namespace

void requestHead(std::string_view input) {
    check(input, {});
    HeadLimits tight;
    tight.requestLine = 40;
    tight.head = 100;
    tight.fields = 4;
    check(input, tight);
}

} // namespace reef::fuzz
