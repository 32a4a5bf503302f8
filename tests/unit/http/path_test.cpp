#include "http/path.h"

#include <catch2/catch.hpp>

using namespace reef;
using namespace reef::http;

namespace {

void decodes(std::string_view raw, std::string_view path) {
    INFO(raw);
    Arena arena;
    const auto decoded = decodePath(raw, arena);
    REQUIRE(decoded);
    CHECK(*decoded == path);
}

void refused(std::string_view raw, PathFault fault) {
    INFO(raw);
    Arena arena;
    const auto decoded = decodePath(raw, arena);
    REQUIRE_FALSE(decoded);
    CHECK(decoded.error() == fault);
}

} // namespace

TEST_CASE("a plain path is passed on as it is") {
    Arena arena;
    for (const std::string_view raw : {"/", "/a", "/a/b.html", "/a/", "/a.b/c..d/...e",
                                       "/+~;=,!$&'()*:@", "/caf\xc3\xa9", "/a/b.."}) {
        const auto decoded = decodePath(raw, arena);
        REQUIRE(decoded);
        CHECK(*decoded == raw);
    }
    const std::string_view raw = "/a/b.html";
    CHECK(decodePath(raw, arena)->data() == raw.data());
}

TEST_CASE("escapes are decoded exactly once") {
    decodes("/a%20b", "/a b");
    decodes("/%41%6a%6A", "/Ajj");
    decodes("/100%25", "/100%");
    decodes("/%2541", "/%41");
    decodes("/%252e%252e/x", "/%2e%2e/x");
    decodes("/%252fx", "/%2fx");
    decodes("/a+b", "/a+b");
    decodes("/%3f%23", "/?#");
    decodes("/%5c", "/\\");
    decodes("/%c3%a9%ff%80", "/\xc3\xa9\xff\x80");
}

TEST_CASE("dot segments are resolved, plain and encoded") {
    decodes("/.", "/");
    decodes("/./", "/");
    decodes("/a/.", "/a/");
    decodes("/a/./b", "/a/b");
    decodes("/a/..", "/");
    decodes("/a/../", "/");
    decodes("/a/b/..", "/a/");
    decodes("/a/b/../c", "/a/c");
    decodes("/a/b/../../c", "/c");
    decodes("/a/b/c/../../d/./e/..", "/a/d/");
    decodes("/a/%2e%2e/b", "/b");
    decodes("/a/.%2E/b", "/b");
    decodes("/%2e/a", "/a");
    decodes("/.well-known/x", "/.well-known/x");
    decodes("/...", "/...");
    decodes("/..a/.b./c.", "/..a/.b./c.");
    decodes("/a/..;/b", "/a/..;/b");
}

TEST_CASE("runs of slashes become one before dots are resolved") {
    decodes("//", "/");
    decodes("//a", "/a");
    decodes("/a//b", "/a/b");
    decodes("/a///", "/a/");
    decodes("/a//../b", "/b");
    decodes("/a/.//../b", "/b");
    decodes("//evil.example/..", "/");
}

TEST_CASE("no path climbs above the root") {
    for (const char* raw : {"/..", "/../", "/../a", "/%2e%2e/%2e%2e/etc/passwd", "/a/../..",
                            "/a/../../b", "//..", "/./..", "/a//../..", "/.%2e/x", "/%2E./x"}) {
        refused(raw, PathFault::aboveRoot);
    }
}

TEST_CASE("bad escapes, control bytes and encoded slashes are refused") {
    for (const char* raw :
         {"/%", "/%4", "/%zz", "/%4g", "/a%", "/% 41", "/%%41", "/%u0041", "/%-1"}) {
        refused(raw, PathFault::badEscape);
    }
    for (const char* raw : {"/%00", "/a%00.html", "/%0a", "/%0D", "/%1f", "/%7f", "/%09", "/a\x01",
                            "/a\t", "/a\x7f"}) {
        refused(raw, PathFault::control);
    }
    for (const char* raw : {"/%2f", "/a%2Fb", "/..%2fROOT-leak/secret.txt", "/%2e%2e%2fx"}) {
        refused(raw, PathFault::encodedSlash);
    }
    for (const char* raw : {"", "a", "*", "a/b", "%2fa", "./a"})
        refused(raw, PathFault::notAbsolute);
    CHECK(statusOf(PathFault::encodedSlash) == 404);
    CHECK(statusOf(PathFault::control) == 400);
}

TEST_CASE("an encoded path is safe in a link and comes back the same") {
    CHECK(encodePath("/a b/\"<c>\"&d?#%\r\n") == "/a%20b/%22%3Cc%3E%22&d%3F%23%25%0D%0A");
    CHECK(encodePath("/caf\xc3\xa9") == "/caf%C3%A9");
    CHECK(encodePath("/a:b@c;d=e,f+g") == "/a:b@c;d=e,f+g");
    CHECK(encodePath("//evil.example/x") == "/evil.example/x");
    CHECK(encodePath("/\\evil.example") == "/%5Cevil.example");
    CHECK(encodeSegment("a/b c") == "a%2Fb%20c");
    std::string all = "/";
    for (int byte = 0x20; byte < 256; ++byte) {
        if (byte != '/' && byte != 0x7f) all += static_cast<char>(byte);
    }
    decodes(encodePath(all), all);
}
