#include "base/arena.h"
#include "gateway/script_head.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>
#include <string>

using namespace reef;
using gateway::ScriptHead;
using Kind = ScriptHead::Kind;

namespace {

/// A head given byte by byte, each time at another place, so that a view that stayed behind is
/// seen.
struct Dripped {
    explicit Dripped(std::string_view bytes, ScriptHead::Form form = ScriptHead::Form::parsed)
        : head(arena, form) {
        for (std::size_t size = 1; size <= bytes.size(); ++size) {
            auto place = std::make_unique<char[]>(size);
            std::ranges::copy(bytes.substr(0, size), place.get());
            verdict = head.parse({place.get(), size});
            received = std::move(place);
            if (verdict != http::Verdict::incomplete) break;
        }
    }

    std::string field(std::string_view name) const {
        return std::string(head.head().fields.find(name).value_or("(none)"));
    }

    Arena arena;
    std::unique_ptr<char[]> received;
    ScriptHead head;
    http::Verdict verdict = http::Verdict::incomplete;
};

} // namespace

TEST_CASE("the head of a document has its type, status and length") {
    const std::string head = "Content-Type: text/plain\nStatus: 404 Not Found\n"
                             "Content-Length: 12\nX: y\n\n";
    const Dripped script(head + "content");
    REQUIRE(script.verdict == http::Verdict::complete);
    CHECK(script.head.length() == head.size());
    CHECK(script.head.kind() == Kind::document);
    CHECK(script.head.head().status == 404);
    CHECK(script.head.head().length == ByteCount{12});
    CHECK(script.field("Content-Type") == "text/plain");
    CHECK(script.field("X") == "y");
    CHECK(script.field("Status") == "(none)");
    CHECK(script.field("Content-Length") == "(none)");
}

TEST_CASE("the reason phrase of a status is the script's own") {
    CHECK(Dripped("Status: 418 Teapot\n\n").head.head().reason == "Teapot");
    CHECK(Dripped("Status: 418  I'm a teapot \n\n").head.head().reason == "I'm a teapot");
    CHECK(Dripped("Status: 200\n\n").head.head().reason.empty());
    CHECK(Dripped("Status: 200 " + std::string(101, 'x') + "\n\n").head.head().reason.empty());
}

TEST_CASE("lines end in LF or CRLF, also mixed") {
    const Dripped script("Content-Type: text/plain\r\nX: y\nZ: z\r\n\r\n");
    REQUIRE(script.verdict == http::Verdict::complete);
    CHECK(script.field("X") == "y");
    CHECK(script.field("Z") == "z");
}

TEST_CASE("Location alone is a redirect, within the site or to the client") {
    struct Case {
        const char* head;
        Kind kind;
        int status;
    };
    const Case cases[] = {
        {"Location: /path?query\n\n", Kind::localRedirect, 302},
        {"Location: /\n\n", Kind::localRedirect, 302},
        {"Location: /path\nContent-Type: text/html\n\n", Kind::localRedirect, 302},
        {"Location: http://example.org/x\n\n", Kind::clientRedirect, 302},
        {"Location: //example.org/x\n\n", Kind::clientRedirect, 302},
        {"Location: relative\n\n", Kind::clientRedirect, 302},
        {"Location: /path\nStatus: 301\n\n", Kind::clientRedirect, 301},
        {"Status: 201 Created\nLocation: http://example.org/x\n\n", Kind::clientRedirect, 201},
    };
    for (const Case& c : cases) {
        INFO(c.head);
        const Dripped script(c.head);
        REQUIRE(script.verdict == http::Verdict::complete);
        CHECK(script.head.kind() == c.kind);
        CHECK(script.head.head().status == c.status);
        if (c.kind == Kind::localRedirect) CHECK(script.head.target().starts_with('/'));
    }
}

TEST_CASE("what cannot be understood is rejected, with what was expected") {
    struct Case {
        std::string head;
        const char* reason;
    };
    const Case cases[] = {
        {"\n", "expected Content-Type, Status or Location"},
        {"X: y\n\n", "expected Content-Type, Status or Location"},
        {"just text\n\n", "line without colon: \"just text\""},
        {"Content-Type: a/b\nA: b\n<h1>hi</h1>\n\n", "line without colon: \"<h1>hi</h1>\""},
        {"a\x1b[31m\n\n", "\"a\\x1b"},
        {std::string(200, 'x') + "\n\n", "x...\""},
        {"HTTP/1.1 200 OK\nContent-Type: a/b\n\n", ""},
        {"Status: fine\n\n", "three digits"},
        {"Status: 20\n\n", "three digits"},
        {"Status: 2000\n\n", "three digits"},
        {"Status: 100\n\n", "200 to 599"},
        {"Status: 600\n\n", "200 to 599"},
        {"Status: +20\n\n", "three digits"},
        {"Content-Type: a/b\nContent-Length: -1\n\n", "decimal number"},
        {"Content-Type: a/b\nContent-Length: 1\nContent-Length: 2\n\n", "one Content-Length"},
        {"Content-Type: a/b\nContent-Type: a/c\n\n", "one Content-Type"},
        {"Location: /a\nlocation: /b\n\n", "one Location"},
        {"Status: 200\nStatus: 404\n\n", "one Status"},
        {"Content-Type: a/b\nTransfer-Encoding: chunked\n\n", "server's business"},
        {"Content-Type : a/b\n\n", "blank before colon: \"Content-Type : a/b\""},
        {"Content-Type: a/b\n folded\n\n", ""},
        {std::string("Content-Type: a\0b\n\n", 20), ""},
    };
    for (const Case& c : cases) {
        INFO(c.head);
        const Dripped script(c.head);
        REQUIRE(script.verdict == http::Verdict::rejected);
        CHECK_FALSE(script.head.reason().empty());
        CHECK(script.head.reason().find(c.reason) != std::string_view::npos);
    }
}

TEST_CASE("a head beyond its limits is rejected") {
    std::string many = "Content-Type: a/b\n";
    for (int i = 0; i < 300; ++i)
        many += "X: y\n";
    for (const std::string& head : {"X: " + std::string(ScriptHead::kMaxBytes, 'y'), many + "\n"}) {
        Arena arena;
        ScriptHead script(arena);
        CHECK(script.parse(bytesOf(head)) == http::Verdict::rejected);
    }
}

TEST_CASE("several fields of one name stay apart, in their order") {
    const Dripped script("Set-Cookie: a=1\nContent-Type: a/b\nSet-Cookie: b=2\n\n");
    REQUIRE(script.verdict == http::Verdict::complete);
    std::string cookies;
    for (const auto& field : script.head.head().fields) {
        if (field.name == "Set-Cookie") cookies += std::string(field.value) + "|";
    }
    CHECK(cookies == "a=1|b=2|");
}

TEST_CASE("a CGI field that is said twice in the same words counts once") {
    const Dripped script("Content-Type: a/b\nStatus: 404 x\ncontent-type: a/b\nStatus: 404 x\n"
                         "Content-Length: 3\nContent-Length: 3\n\n");
    REQUIRE(script.verdict == http::Verdict::complete);
    CHECK(script.head.head().fields.count("Content-Type") == 1);
    CHECK(script.head.head().status == 404);
    CHECK(script.head.head().length == ByteCount{3});
}

TEST_CASE("fields that are the server's own business are dropped") {
    const Dripped script("Content-Type: a/b\nConnection: close\nKeep-Alive: 5\nDate: never\n"
                         "Proxy-Connection: x\nServer: me\nTE: x\nTrailer: x\nUpgrade: h2c\n"
                         "X-Accel-Buffering: no\nX-Own: kept\n\n");
    REQUIRE(script.verdict == http::Verdict::complete);
    std::string names;
    for (const auto& field : script.head.head().fields)
        names += std::string(field.name) + "|";
    CHECK(names == "Content-Type|X-Own|");
}

TEST_CASE("X-Sendfile and X-Accel-Redirect hand the answer over") {
    struct Case {
        const char* head;
        Kind kind;
        const char* target;
    };
    const Case cases[] = {
        {"X-Sendfile: /srv/a b.bin\n\n", Kind::file, "/srv/a b.bin"},
        {"X-Accel-Redirect: /inner/a?x\n\n", Kind::innerPath, "/inner/a?x"},
        {"Location: /a\nX-Accel-Redirect: /b\nX-Sendfile: /c\n\n", Kind::file, "/c"},
        {"Status: 200\nLocation: /a\nX-Accel-Redirect: /b\n\n", Kind::innerPath, "/b"},
    };
    for (const Case& c : cases) {
        INFO(c.head);
        const Dripped script(std::string("Content-Type: a/b\nX-Own: y\n") + c.head);
        REQUIRE(script.verdict == http::Verdict::complete);
        CHECK(script.head.handsOver());
        CHECK(script.head.kind() == c.kind);
        CHECK(script.head.target() == c.target);
        CHECK(script.field("Content-Type") == "a/b");
        CHECK(script.field("X-Own") == "y");
        CHECK(script.field("X-Sendfile") == "(none)");
        CHECK(script.field("X-Accel-Redirect") == "(none)");
    }
}

TEST_CASE("a name that begins with nph- makes a script that writes its own status line") {
    CHECK(ScriptHead::formOf("nph-a.pl") == ScriptHead::Form::nph);
    CHECK(ScriptHead::formOf("sub/nph-a.pl") == ScriptHead::Form::nph);
    CHECK(ScriptHead::formOf("nph-sub/a.pl") == ScriptHead::Form::parsed);
    CHECK(ScriptHead::formOf("a-nph-b.pl") == ScriptHead::Form::parsed);

    const Dripped script("HTTP/1.1 404 Not Here\r\nConnection: close\r\nX: y\r\n"
                         "Location: /a\r\nContent-Length: 2\r\n\r\nhi",
                         ScriptHead::Form::nph);
    REQUIRE(script.verdict == http::Verdict::complete);
    CHECK(script.head.head().status == 404);
    CHECK(script.head.head().reason == "Not Here");
    CHECK(script.head.head().length == ByteCount{2});
    CHECK_FALSE(script.head.handsOver()); // its Location is the client's
    CHECK(script.field("X") == "y");
    CHECK(script.field("Location") == "/a");
    CHECK(script.field("Connection") == "(none)");
    const Dripped bare("HTTP/1.0 200\n\n", ScriptHead::Form::nph);
    CHECK(bare.verdict == http::Verdict::complete);
    CHECK(bare.head.head().reason.empty());
}

TEST_CASE("the status line of an nph- script is read strictly") {
    for (const char* head :
         {"Content-Type: a/b\n\n", "\n", "HTTP/1.1\n\n", "HTTP/1.1  200 OK\n\n",
          "HTTP/2 200 OK\n\n", "http/1.1 200 OK\n\n", "HTTP/1.1 20 OK\n\n", "HTTP/1.1 2000 OK\n\n",
          "HTTP/1.1 100 Continue\n\n", "HTTP/1.1 600 x\n\n", "HTTP/1.1 +20 x\n\n",
          "HTTP/1.1 200 \x01\n\n", "HTTP/1.1 200\tOK\n\n"}) {
        INFO(head);
        const Dripped script(head, ScriptHead::Form::nph);
        REQUIRE(script.verdict == http::Verdict::rejected);
        CHECK(script.head.reason().find("expected a status line") != std::string::npos);
    }
    const Dripped endless("HTTP/1.1 200 " + std::string(300, 'x'), ScriptHead::Form::nph);
    CHECK(endless.verdict == http::Verdict::rejected);
    const Dripped coded("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n", ScriptHead::Form::nph);
    CHECK(coded.verdict == http::Verdict::rejected);
    const Dripped blamed("HTTP/1.1 200 OK\nA: b\njust text\n\n", ScriptHead::Form::nph);
    CHECK(blamed.head.reason() == "line without colon: \"just text\"");
}
