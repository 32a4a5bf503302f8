#include "base/arena.h"
#include "compose/page_head.h"

#include <catch2/catch.hpp>

using namespace reef;
using namespace reef::compose;

namespace {

Treatment treatment(int status, std::string_view type, std::string_view coding, Compose which,
                    http::Method method = http::Method::get) {
    Arena arena;
    http::ResponseHead head(arena, status);
    if (!type.empty()) head.fields.add("Content-Type", type);
    if (!coding.empty()) head.fields.add("Content-Encoding", coding);
    return treatmentOf(head, method, which);
}

} // namespace

TEST_CASE("HTML is composed, other types only for a page by its name") {
    CHECK(treatment(200, "text/html", "", Compose::html) == Treatment::compose);
    CHECK(treatment(200, "Text/HTML; charset=utf-8", "", Compose::html) == Treatment::compose);
    CHECK(treatment(404, "text/html", "", Compose::html) == Treatment::compose);
    CHECK(treatment(200, "application/json", "", Compose::html) == Treatment::pass);
    CHECK(treatment(200, "", "", Compose::html) == Treatment::pass);
    CHECK(treatment(200, "application/json", "", Compose::all) == Treatment::compose);
    CHECK(treatment(200, "", "", Compose::all) == Treatment::compose);
}

TEST_CASE("answers without a page in plain text are never touched") {
    for (const int status : {204, 206, 304}) {
        CHECK(treatment(status, "text/html", "", Compose::all) == Treatment::pass);
    }
    CHECK(treatment(200, "text/html", "gzip", Compose::all) == Treatment::pass);
    CHECK(treatment(200, "text/html", "Identity", Compose::all) == Treatment::compose);
}

TEST_CASE("HEAD gives the head of the composed page") {
    CHECK(treatment(200, "text/html", "", Compose::html, http::Method::head) ==
          Treatment::headOnly);
    CHECK(treatment(200, "image/png", "", Compose::html, http::Method::head) == Treatment::pass);
}

TEST_CASE("a composed page keeps no field that describes its text before composition") {
    Arena arena;
    http::ResponseHead head(arena, 201);
    head.length = 17;
    head.fields.add("Content-Type", "text/html");
    head.fields.add("ETag", "\"x\"");
    head.fields.add("last-modified", "Sun, 06 Nov 1994 08:49:37 GMT");
    head.fields.add("Accept-Ranges", "bytes");
    head.fields.add("Content-Length", "17");
    head.fields.add("Set-Cookie", "a=1");
    head.fields.add("Set-Cookie", "b=2");
    const auto out = pageHead(head, arena);
    CHECK(out.status == 201);
    CHECK_FALSE(out.length);
    CHECK(out.fields.size() == 3);
    CHECK(out.fields.count("Set-Cookie") == 2);
    CHECK(out.fields.find("Content-Type") == "text/html");
}
