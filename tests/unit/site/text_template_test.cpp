#include "compose/fakes.h"
#include "site/text_template.h"

#include <catch2/catch.hpp>

using namespace reef;
using site::TextTemplate;

namespace {

std::string filled(std::string_view source, std::string_view target = "/a%20b/c?x=1&y=%2F",
                   std::string_view capture = {}) {
    test::PageRequest page(target);
    page.request.id = "id-7";
    Captures captures;
    captures.set(1, capture);
    return TextTemplate::parse(source).value().fill(page.request, captures);
}

} // namespace

TEST_CASE("a template is filled with what is known of the request") {
    CHECK(filled("/new$path$args") == "/new/a%20b/c?x=1&y=%2F");
    CHECK(filled("/f.pl?page=$path&$query") == "/f.pl?page=/a%20b/c&x=1&y=%2F");
    CHECK(filled("$scheme://$host/ $method ${remote_addr} $request_id $authority") ==
          "http://site.example/ GET 192.0.2.7 id-7 site.example:8080");
    CHECK(filled("/$1", "/", "a b") == "/a%20b");
    CHECK(filled("costs $$5") == "costs $5");
    CHECK(filled("${path}x", "/p") == "/px");
    CHECK(filled("/x$args", "/p") == "/x");
}

TEST_CASE("nothing of a request can break a line or name another host") {
    CHECK(filled("/$1", "/", "a\r\nSet-Cookie: x") == "/a%0D%0ASet-Cookie:%20x");
    CHECK(filled("/$1", "/", "/evil.example") == "/evil.example");
    CHECK(filled("$1", "/", "//evil.example") == "/evil.example");
    CHECK(filled("/$1", "/", "\\evil.example") == "/%5Cevil.example");
    CHECK(filled("//cdn.example/$1", "/", "x") == "//cdn.example/x"); // the author's own words
}

TEST_CASE("an unknown name is refused with those there are") {
    const auto refused = TextTemplate::parse("/$pth");
    REQUIRE_FALSE(refused);
    CHECK(refused.error().find("unknown `$pth`") != std::string::npos);
    CHECK(refused.error().find("$path") != std::string::npos);
    CHECK_FALSE(TextTemplate::parse("$"));
    CHECK_FALSE(TextTemplate::parse("${path"));
}

TEST_CASE("a template knows the captures it needs") {
    CHECK(TextTemplate::parse("/x")->highestCapture() == -1);
    CHECK(TextTemplate::parse("/$0/$3")->highestCapture() == 3);
}
