#include "http/request_parser.h"
#include "parsing.h"

#include <catch2/catch.hpp>
#include <cctype>

using namespace reef;
using namespace reef::http;

namespace {

using namespace std::string_literals;

struct Case {
    std::string head;
    int status; ///< 0: complete
};

/// A valid 1.1 head around these lines.
std::string with(const std::string& lines) {
    return "GET / HTTP/1.1\r\nHost: a\r\n" + lines + "\r\n";
}

std::string get(const std::string& target) {
    return "GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n";
}

void check(const std::vector<Case>& cases) {
    for (const Case& c : cases) {
        INFO(c.head.substr(0, 200));
        ParsedHead whole;
        whole.whole(c.head);
        CHECK(whole.status() == c.status);
        ParsedHead pieces;
        pieces.byteByByte(c.head);
        CHECK(pieces.status() == c.status);
        CHECK(pieces.parser.rejection().reason == whole.parser.rejection().reason);
        CHECK(pieces.request.target == whole.request.target);
        if (c.status == 0) CHECK(pieces.parser.headLength() == c.head.size());
    }
}

} // namespace

TEST_CASE("a browser's request is taken apart without copying") {
    const std::string head = "GET /a%20b/c.html?x=1&y=?2 HTTP/1.1\r\n"
                             "Host: Example.ORG:8080\r\n"
                             "Accept:text/html,*/*\r\n"
                             "Cookie: \t a=1; b=\"2\" \t\r\n"
                             "X-Empty:\r\n"
                             "X-Bytes: caf\xc3\xa9\ttab\r\n\r\n";
    for (const bool inPieces : {false, true}) {
        ParsedHead parsed;
        REQUIRE((inPieces ? parsed.byteByByte(head) : parsed.whole(head)) == Verdict::complete);
        const Request& request = parsed.request;
        CHECK(request.method == Method::get);
        CHECK(request.methodName == "GET");
        CHECK(request.version == Version::http11);
        CHECK(request.target == "/a%20b/c.html?x=1&y=?2");
        CHECK(request.rawPath == "/a%20b/c.html");
        CHECK(request.query == "x=1&y=?2");
        CHECK(request.hasQuery);
        CHECK(request.host == "example.org");
        CHECK(request.authority == "Example.ORG:8080");
        CHECK(request.fields.size() == 5);
        CHECK(request.fields.find("accept") == "text/html,*/*");
        CHECK(request.fields.find("cookie") == "a=1; b=\"2\"");
        CHECK(request.fields.find("x-empty") == "");
        CHECK(request.fields.find("X-BYTES") == "caf\xc3\xa9\ttab");
        CHECK(parsed.parser.headLength() == head.size());
        CHECK(parsed.parser.framing().keepAlive);
        CHECK(parsed.parser.framing().body == BodyKind::none);
    }
}

TEST_CASE("a pipelined request stays behind the head") {
    const std::string first = "GET /1 HTTP/1.1\r\nHost: a\r\n\r\n";
    ParsedHead parsed;
    CHECK(parsed.whole(first + "GET /2 HTTP/9.9\r\nBad\r\n") == Verdict::complete);
    CHECK(parsed.parser.headLength() == first.size());
    CHECK(parsed.request.target == "/1");
}

TEST_CASE("a parser that was reset reads the next request") {
    ParsedHead first;
    first.whole("BAD\r\n");
    REQUIRE(first.verdict == Verdict::rejected);
    first.parser.reset();
    CHECK(first.parser.rejection().reason.empty());
    ParsedHead second;
    const std::string head = with("");
    CHECK(first.parser.parse(bytesOf(head), second.request) == Verdict::complete);
    CHECK(first.parser.headLength() == head.size());
}

TEST_CASE("every unfinished front of a head is incomplete") {
    const std::string head = "\r\nPOST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n";
    for (std::size_t size = 0; size < head.size(); ++size) {
        ParsedHead parsed;
        INFO(size);
        CHECK(parsed.whole(std::string_view(head).substr(0, size)) == Verdict::incomplete);
    }
}

TEST_CASE("one empty line before the request line is skipped, a second is not") {
    check({
        {"\r\n" + with(""), 0},
        {"\r\n\r\n" + with(""), 400},
        {"\n" + with(""), 400},
        {"\r" + with(""), 400},
        {" " + with(""), 400},
    });
}

TEST_CASE("lines end in CRLF and hold no control bytes") {
    check({
        {"GET / HTTP/1.1\nHost: a\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nHost: a\n\r\n", 400},
        {"GET / HTTP/1.1\r\nHost: a\r\n\n", 400},
        {"GET / HTTP/1.1\rHost: a\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nHost: a\rX: b\r\n\r\n", 400},
        {with("X: a\r\r\n"), 400},
        {with("X: a\0b\r\n"s), 400},
        {with("X\0: a\r\n"s), 400},
        {with("X: \x01\r\n"), 400},
        {with("X: \x1f\r\n"), 400},
        {with("X: \x7f\r\n"), 400},
        {with("X: \x80\xff\r\n"), 0},
        {with("X: a\tb\r\n"), 0},
        {"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"s, 400}, // TLS on a plain port
    });
}

TEST_CASE("the request line has one space between its three parts") {
    check({
        {"GET /\r\nHost: a\r\n\r\n", 400},
        {"GET\r\nHost: a\r\n\r\n", 400},
        {"GET  / HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        {"GET /  HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        {"GET / HTTP/1.1 \r\nHost: a\r\n\r\n", 400},
        {"GET\t/ HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        {"GET /\tHTTP/1.1\r\nHost: a\r\n\r\n", 400},
        {"GET /a b HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        {" / HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        {"G(T / HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        {"G\xc3T / HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        {"get / HTTP/1.1\r\nHost: a\r\n\r\n", 0},
        {"BREW /pot HTTP/1.1\r\nHost: a\r\n\r\n", 0},
    });
    ParsedHead parsed;
    parsed.whole("BREW /pot HTTP/1.1\r\nHost: a\r\n\r\n");
    CHECK(parsed.request.method == Method::other);
    CHECK(parsed.request.methodName == "BREW");
}

TEST_CASE("versions other than 1.0 and 1.1 are 505, and what is none is 400") {
    const auto line = [](const std::string& version) {
        return "GET / " + version + "\r\nHost: a\r\n\r\n";
    };
    check({
        {line("HTTP/1.0"), 0},
        {line("HTTP/1.1"), 0},
        {line("HTTP/1.2"), 505},
        {line("HTTP/2.0"), 505},
        {line("HTTP/0.9"), 505},
        {line("HTTP/9.9"), 505},
        {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505},
        {line("HTTP/2"), 400},
        {line("HTTP/11.1"), 400},
        {line("HTTP/1.1.1"), 400},
        {line("HTTP/1,1"), 400},
        {line("HTTP/ 1.1"), 400},
        {line("HTTP/1.x"), 400},
        {line("http/1.1"), 400},
        {line("HTTPS/1.1"), 400},
        {line(""), 400},
    });
}

TEST_CASE("a target is visible ASCII in one of four forms") {
    check({
        {get("/"), 0},
        {get("//"), 0},
        {get("/a|b\"{}[]\\^`<>"), 0},
        {get("/%zz"), 0}, // the path's business, see decodePath
        {get("/a#b"), 400},
        {get("#"), 400},
        {get("/caf\xc3\xa9"), 400},
        {get("/\x7f"), 400},
        {get("a"), 400},
        {get("a/b"), 400},
        {get("?x"), 400},
        {get("*"), 400},
        {get("**"), 400},
        {get(""), 400},
        {get("a:80"), 400},
        {get("http:/a/"), 400},
        {get("http://"), 400},
        {get("http:///x"), 400},
        {get("http://?x"), 400},
        {get("http://user@a/"), 400},
        {get("http://a:x/"), 400},
        {get("ftp://a/"), 400},
        {get("://a/"), 400},
        {get("http://a"), 0},
        {get("HTTPS://a/"), 0},
        {"OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", 0},
        {"OPTIONS /x HTTP/1.1\r\nHost: a\r\n\r\n", 0},
        {"CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n", 0},
        {"CONNECT a HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        {"CONNECT a: HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        {"CONNECT /x HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        {"CONNECT http://a:80/ HTTP/1.1\r\nHost: a\r\n\r\n", 400},
    });
}

TEST_CASE("bytes above 127 in a target pass when the option says so") {
    HeadLimits limits;
    limits.nonAsciiTargets = true;
    ParsedHead parsed(limits);
    CHECK(parsed.whole(get("/caf\xc3\xa9")) == Verdict::complete);
    CHECK(parsed.request.rawPath == "/caf\xc3\xa9");
}

TEST_CASE("a bad byte is found wherever it stands in a long target or name") {
    const std::string tokenMarks = "!#$%&'*+-.^_`|~";
    for (int byte = 0; byte < 256; ++byte) {
        const char c = static_cast<char>(byte);
        const bool inTarget = byte > 0x20 && byte < 0x7f && c != '#';
        const bool inName = byte < 128 && (std::isalnum(byte) != 0 || tokenMarks.contains(c));
        for (const std::size_t place : {1U, 15U, 16U, 17U, 31U, 40U}) {
            std::string text(41, 'x');
            text[place] = c;
            INFO(byte << " at " << place);
            ParsedHead target;
            target.whole(get("/" + text));
            CHECK(target.status() == (inTarget ? 0 : 400));
            if (c == ':') continue; // ends the name
            ParsedHead name;
            name.whole(with(text + ": a\r\n"));
            CHECK(name.status() == (inName ? 0 : 400));
        }
    }
}

TEST_CASE("an absolute-form target wins over Host, also in the fields") {
    ParsedHead parsed;
    REQUIRE(parsed.whole("GET http://B.example:81/x?q HTTP/1.1\r\nHost: a\r\nA: b\r\n\r\n") ==
            Verdict::complete);
    CHECK(parsed.request.host == "b.example");
    CHECK(parsed.request.authority == "B.example:81");
    CHECK(parsed.request.fields.find("host") == "B.example:81");
    CHECK(parsed.request.fields.count("host") == 1);
    CHECK(parsed.request.rawPath == "/x");
    CHECK(parsed.request.query == "q");
}

TEST_CASE("the path of a target without one is the root, and the server itself with OPTIONS") {
    struct {
        const char* head;
        const char* path;
        bool hasQuery;
    } const cases[] = {
        {"GET http://a HTTP/1.1\r\nHost: a\r\n\r\n", "/", false},
        {"GET http://a?q HTTP/1.1\r\nHost: a\r\n\r\n", "/", true},
        {"OPTIONS http://a HTTP/1.1\r\nHost: a\r\n\r\n", "*", false},
        {"OPTIONS http://a/ HTTP/1.1\r\nHost: a\r\n\r\n", "/", false},
        {"OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", "*", false},
        {"GET /? HTTP/1.1\r\nHost: a\r\n\r\n", "/", true},
        {"CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n", "", false},
    };
    for (const auto& c : cases) {
        INFO(c.head);
        ParsedHead parsed;
        REQUIRE(parsed.whole(c.head) == Verdict::complete);
        CHECK(parsed.request.rawPath == c.path);
        CHECK(parsed.request.hasQuery == c.hasQuery);
    }
}

TEST_CASE("1.1 needs exactly one valid Host, 1.0 at most one") {
    const auto one = [](const std::string& fields) {
        return "GET / HTTP/1.1\r\n" + fields + "\r\n";
    };
    const auto zero = [](const std::string& fields) {
        return "GET / HTTP/1.0\r\n" + fields + "\r\n";
    };
    check({
        {one(""), 400},
        {one("Host:\r\n"), 400},
        {one("Host: a\r\nHost: a\r\n"), 400},
        {one("Host: a\r\nhOST: b\r\n"), 400},
        {one("Host: a, b\r\n"), 400},
        {one("Host: a b\r\n"), 400},
        {one("Host: a/b\r\n"), 400},
        {one("Host: http://a\r\n"), 400},
        {one("Host: u@a\r\n"), 400},
        {one("Host: a:80:80\r\n"), 400},
        {zero(""), 0},
        {zero("Host: a\r\n"), 0},
        {zero("Host:\r\n"), 400},
        {zero("Host: a\r\nHost: a\r\n"), 400},
        {"GET http://b/ HTTP/1.1\r\n\r\n", 400},
        {"GET http://b/ HTTP/1.1\r\nHost: a b\r\n\r\n", 400},
        {"GET http://b/ HTTP/1.0\r\n\r\n", 0},
    });
}

TEST_CASE("field lines are a token, a colon, a value, and nothing else") {
    check({
        {with("X : a\r\n"), 400},
        {with("X\t: a\r\n"), 400},
        {with(": a\r\n"), 400},
        {with("X\r\n"), 400},
        {with("X: a\r\n b\r\n"), 400},
        {with("X: a\r\n\tb\r\n"), 400},
        {with("X:\r\n b\r\n"), 400},
        {"GET / HTTP/1.1\r\n Host: a\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\n\tX: y\r\nHost: a\r\n\r\n", 400},
        {with("X(: a\r\n"), 400},
        {with("X Y: a\r\n"), 400},
        {with("X\xc3: a\r\n"), 400},
        {with("X/Y: a\r\n"), 400},
        {with("X_Y: a\r\n"), 0},
        {with("!#$%&'*+-.^_`|~: a\r\n"), 0},
        {with("X:a:b: c\r\n"), 0},
        {with("X::\r\n"), 0},
    });
}

TEST_CASE("what is too large is refused with its own status, however it arrives") {
    const std::string long8k(8192 - 14, 'a');
    const std::string exact = "GET /" + long8k + " HTTP/1.1\r\nHost: a\r\n\r\n";
    const std::string over = "GET /" + long8k + "a HTTP/1.1\r\nHost: a\r\n\r\n";
    std::string many = "GET / HTTP/1.1\r\nHost: a\r\n";
    for (int i = 0; i < 99; ++i)
        many += "X: y\r\n";
    const std::string start = "GET / HTTP/1.1\r\nHost: a\r\nX: ";
    check({
        {many + "\r\n", 0},
        {many + "X: y\r\n\r\n", 431},
    });
    for (const auto& [head, status] :
         {std::pair{exact, 0},
          {over, 414},
          {std::string(9000, 'G'), 414},
          {start + std::string(32768 - start.size() - 4, 'v') + "\r\n\r\n", 0},
          {start + std::string(32768 - start.size() - 3, 'v') + "\r\n\r\n", 431},
          {start + std::string(1000000, 'v'), 431}}) {
        INFO(head.size());
        ParsedHead whole;
        whole.whole(head);
        CHECK(whole.status() == status);
        ParsedHead pieces;
        std::vector<std::size_t> ends;
        for (std::size_t end = 8000; end < std::min<std::size_t>(head.size(), 8400); ++end)
            ends.push_back(end);
        for (std::size_t end = 32700; end < std::min<std::size_t>(head.size(), 32800); ++end)
            ends.push_back(end);
        pieces.pieces(head, ends);
        CHECK(pieces.status() == status);
    }
}

TEST_CASE("a bad byte behind the limit does not change the verdict") {
    HeadLimits limits;
    limits.requestLine = 20;
    limits.head = 60;
    for (const auto& [head, status] :
         {std::pair{"GET /aaaaaaaaaaaaaaaa\x01"s, 414},
          {"GET /aaaaaaaaaaaaaaa\x01"s, 400},
          {"GET /aaaaaa HTTP/1.1\r\nHost: a\r\nX: bbbbbbbbbbbbbbbbbbbbbbbbb\x01\r\n\r\n"s, 431},
          {"GET /aaaaaa HTTP/1.1\r\nHost: a\r\nX: bbbbbbbbbbbbbbbbbbbbbbbb\x01\r\n\r\n"s, 400},
          {"GET /aaaaaa HTTP/1.1\r\nHost: a\r\nX: bbbbbbbbbbbbbbbbbbbbbb\r\n\r\n"s, 0},
          {"GET /aaaaaa HTTP/1.1\r\nHost: a\r\nX: bbbbbbbbbbbbbbbbbbbbbbb\r\n\r\n"s, 431}}) {
        INFO(head);
        ParsedHead whole(limits);
        whole.whole(head);
        CHECK(whole.status() == status);
        ParsedHead pieces(limits);
        pieces.byteByByte(head);
        CHECK(pieces.status() == status);
    }
}

TEST_CASE("a rejected request keeps its method and target for the log") {
    ParsedHead parsed;
    parsed.byteByByte("PUT /where HTTP/1.1\r\nHost: a\r\nBad Field: x\r\n\r\n");
    REQUIRE(parsed.status() == 400);
    CHECK(parsed.request.methodName == "PUT");
    CHECK(parsed.request.target == "/where");
}
