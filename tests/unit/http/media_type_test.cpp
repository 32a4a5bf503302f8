#include "http/media_type.h"

#include <catch2/catch.hpp>

using namespace reef::http;

TEST_CASE("a file's type comes from its last extension, without case") {
    CHECK(mediaTypeOf("index.html") == "text/html; charset=utf-8");
    CHECK(mediaTypeOf("/a.b/PHOTO.JPEG") == "image/jpeg");
    CHECK(mediaTypeOf("app.min.js") == "text/javascript; charset=utf-8");
    CHECK(mediaTypeOf("page.shtml") == "text/html; charset=utf-8");
    CHECK(mediaTypeOf("a.tar.gz") == "application/gzip");
    CHECK(mediaTypeOf("x.json") == "application/json");
    CHECK(mediaTypeOf("x.svg") == "image/svg+xml");
    CHECK(mediaTypeOf("x.woff2") == "font/woff2");
    CHECK(mediaTypeOf("x.3gp") == "video/3gpp");
    CHECK(mediaTypeOf("x.zst") == "application/zstd");
    CHECK(mediaTypeOf("site.webmanifest") == "application/manifest+json");
}

TEST_CASE("a name that tells nothing is a stream of bytes") {
    for (const char* name : {"", "README", ".", "x.", "/html", "dir.html/README", "x.unknown",
                             "x.averyveryverylongextension", "x.htm\xcc", "x.html/"}) {
        INFO(name);
        CHECK(mediaTypeOf(name) == kUnknownMediaType);
    }
}

TEST_CASE("a type is recognised whatever its case and parameters") {
    CHECK(isMediaType("text/html", "text/html"));
    CHECK(isMediaType("Text/HTML ; charset=x", "text/html"));
    CHECK_FALSE(isMediaType("text/htmlx", "text/html"));
    CHECK_FALSE(isMediaType("", "text/html"));
}

TEST_CASE("text shrinks, pictures and archives do not") {
    for (const char* type :
         {"text/html; charset=utf-8", "TEXT/plain", "application/json", "image/svg+xml",
          "application/ld+json", "application/wasm", "font/ttf"}) {
        CHECK(isCompressible(type));
    }
    for (const char* type : {"", "image/png", "application/zip", "video/mp4", "font/woff2",
                             "application/octet-stream"}) {
        CHECK_FALSE(isCompressible(type));
    }
}
