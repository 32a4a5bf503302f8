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
    explicit Dripped(std::string_view bytes) {
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
    ScriptHead head{arena};
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
        if (c.kind == Kind::localRedirect) CHECK(script.head.location().starts_with('/'));
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
        {"Content-Type: a/b\nContent-Length: 1\nContent-Length: 1\n\n", "decimal number"},
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
