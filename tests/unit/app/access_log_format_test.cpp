#include "app/access_log_format.h"
#include "base/utf8.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <ctime>

using namespace reef;
using namespace std::chrono_literals;
using app::AccessLogFormat;

namespace {

/// A request of half a second that ended at 2026-01-02T03:04:06.250Z.
struct Fixture {
    Fixture() {
        ::setenv("TZ", "UTC-1", 1); // an hour east
        ::tzset();
        request.method = http::Method::post;
        request.methodName = "POST";
        request.target = "/a%20b?x=1";
        request.rawPath = "/a%20b";
        request.query = "x=1";
        request.hasQuery = true;
        request.host = "example.org";
        request.authority = "example.org:8080";
        request.id = "abc-1";
        request.remoteUser = "mia";
        request.fields.add("Referer", "http://r.example/");
        request.fields.add("User-Agent", "Mozilla \"5\"");
        request.fields.add("Cookie", "a=1; session=xyz");
        ends.remoteAddress = "192.0.2.7";
        ends.remotePort = 4711;
        ends.localAddress = "198.51.100.1";
        ends.localPort = 80;
        record.request = &request;
        record.status = 200;
        record.received = 100;
        record.sent = 250;
        record.content = 42;
        record.head = bytesOf("HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nX-Kind:  b \r\n\r\n");
        record.complete = true;
        record.contentType = "text/html";
        record.duration = 500250us;
    }

    std::string line(std::string_view format) {
        const auto parsed = AccessLogFormat::parse(format);
        REQUIRE(parsed);
        std::string out;
        parsed->append(out, record, ended, clock);
        REQUIRE(out.ends_with('\n'));
        out.pop_back();
        return out;
    }

    Arena arena;
    http::EmptyBody body;
    http::Endpoints ends;
    http::Request request{arena, body, ends};
    serve::RequestRecord record{};
    app::LogClock clock;
    std::chrono::system_clock::time_point ended{1767323046250ms};
};

app::AccessLogFormatError errorOf(std::string_view format) {
    const auto parsed = AccessLogFormat::parse(format);
    REQUIRE_FALSE(parsed);
    return parsed.error();
}

} // namespace

TEST_CASE_METHOD(Fixture, "the combined line is Apache's, to the byte") {
    CHECK(line("combined") == "192.0.2.7 - mia [02/Jan/2026:04:04:05 +0100] \"POST /a%20b?x=1 "
                              "HTTP/1.1\" 200 42 \"http://r.example/\" \"Mozilla \\\"5\\\"\"");
    CHECK(line("common") == "192.0.2.7 - mia [02/Jan/2026:04:04:05 +0100] \"POST /a%20b?x=1 "
                            "HTTP/1.1\" 200 42");
}

TEST_CASE_METHOD(Fixture, "each directive writes what it names") {
    struct {
        const char* format;
        const char* text;
    } const cases[] = {
        {"%h|%a|%A|%l|%u", "192.0.2.7|192.0.2.7|198.51.100.1|-|mia"},
        {"%m|%U|%q|%H", "POST|/a%20b|?x=1|HTTP/1.1"},
        {"%s|%>s|%<s", "200|200|200"},
        {"%b|%B|%I|%O", "42|42|100|250"},
        {"%D|%T|%{s}T|%{ms}T|%{us}T", "500250|0|0|500|500250"},
        {"%{sec}t|%{msec}t|%{usec}t", "1767323045|1767323045749|1767323045749750"},
        {"%{%Y-%m-%d %H}t", "2026-01-02 04"},
        {"%{%Y%n%m%t%d}t", "2026 01 02"},
        {"%{Referer}i|%{user-agent}i|%{X-None}i", "http://r.example/|Mozilla \\\"5\\\"|-"},
        {"%{etag}o|%{X-Kind}o|%{OK}o", "\\\"v1\\\"|b|-"},
        {"%{session}C|%{sess}C", "xyz|-"},
        {"%v|%V|%p|%{local}p|%{remote}p", "example.org|example.org|80|80|4711"},
        {"%L|%X|100%%", "abc-1|+|100%"},
    };
    for (const auto& c : cases) {
        INFO(c.format);
        CHECK(line(c.format) == c.text);
    }
    record.complete = false;
    record.content = 0;
    request.hasQuery = false;
    request.query = {};
    request.remoteUser = {};
    ends.remoteAddress = {};
    CHECK(line("%X|%b|%B|%q|%u|%h") == "X|-|0||-|-");
    request.version = http::Version::http10;
    CHECK(line("%H") == "HTTP/1.0");
}

TEST_CASE_METHOD(Fixture, "of a request that could not be read the line says so") {
    request.target = {};
    request.methodName = "GET";
    CHECK(line("\"%r\" %m") == "\"-\" -");
    CHECK(line("json").find("method") == std::string::npos);
}

TEST_CASE_METHOD(Fixture, "hostile bytes can neither end a line nor leave their quotes") {
    request.target = "/\x1b[2J\n\r\"\\\x80\xff\x7f";
    CHECK(line("\"%r\"") == "\"POST /\\x1b[2J\\x0a\\x0d\\\"\\\\\\x80\\xff\\x7f HTTP/1.1\"");
    request.fields.set("User-Agent", std::string_view("a\0b\"} {\n", 9));
    for (const char* format : {"combined", "json", "%{User-Agent}i"}) {
        const auto text = line(format);
        INFO(text);
        CHECK(std::ranges::none_of(text, [](char c) { return c >= 0 && c < 0x20; }));
    }
}

TEST_CASE_METHOD(Fixture, "JSON is valid UTF-8 whatever comes, an object a line") {
    CHECK(line("json") ==
          R"({"time":"2026-01-02T03:04:05.749Z","remote":"192.0.2.7","user":"mia","method":"POST",)"
          R"("host":"example.org:8080","target":"/a%20b?x=1","protocol":"HTTP/1.1","status":200,)"
          R"("received":100,"sent":250,"content":42,"duration":0.500250,"type":"text/html",)"
          R"("referer":"http://r.example/","agent":"Mozilla \"5\"","complete":true,"id":"abc-1"})");
    std::string every;
    for (int byte = 1; byte < 256; ++byte)
        every += static_cast<char>(byte);
    request.fields.set("User-Agent", every);
    request.target = every;
    CHECK(utf8::isValid(line("json")));
}

TEST_CASE("what is wrong with a format is told with its column") {
    struct {
        const char* format;
        std::size_t column;
    } const cases[] = {
        {"", 1},         {"combine", 1}, {"%h %y", 4},   {"%h %", 4},     {"%{x", 1},
        {"%{}i", 1},     {"ab %i", 4},   {"%{a b}i", 1}, {"%{x}h", 1},    {"%{days}T", 1},
        {"%{peer}p", 1}, {"%% %>", 4},   {"%{x}%", 1},   {"%400{x}i", 1}, {"%h\n%h %z", 7},
    };
    for (const auto& c : cases) {
        INFO(c.format);
        const auto error = errorOf(c.format);
        CHECK(error.column == c.column);
        CHECK_FALSE(error.message.empty());
    }
    CHECK(errorOf("%y").message == "unknown directive %y");
}

TEST_CASE("a field is found in an encoded head, and not in the status line or a value") {
    const std::string_view head = "HTTP/1.1 200 A: b\r\nB: A: c\r\nEmpty:\r\nA: d\r\n\r\n";
    CHECK(app::fieldInHead(head, "a") == "d");
    CHECK(app::fieldInHead(head, "Empty").empty());
    CHECK(app::fieldInHead(head, "C").empty());
    CHECK(app::fieldInHead("", "A").empty());
}

TEST_CASE_METHOD(Fixture, "a byte that must be escaped is found wherever it stands in a text") {
    for (const char c : {'"', '\\', '\n', '\x1f', '\x7f', '\x80', '\xff'}) {
        for (std::size_t place = 0; place < 20; ++place) {
            std::string text(20, '~');
            text[place] = c;
            request.target = text;
            INFO(static_cast<int>(c) << " at " << place);
            const auto written = line("%r");
            CHECK(written.find('\\') == 5 + place);
            CHECK(written.size() > text.size() + 14);
        }
    }
}
