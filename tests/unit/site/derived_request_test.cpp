#include "compose/fakes.h"
#include "site/derived_request.h"

#include <catch2/catch.hpp>

using namespace reef;
using test::PageRequest;

namespace {

std::string fieldsOf(const http::Request& request) {
    std::string all;
    for (const auto& field : request.fields)
        all += std::string(field.name) + "=" + std::string(field.value) + ";";
    return all;
}

} // namespace

TEST_CASE("it is a GET with who asked, without what was asked for") {
    PageRequest origin("/page.shtml?a=1");
    origin.request.method = http::Method::post;
    origin.request.methodName = "POST";
    origin.request.id = "id-1";
    for (const char* name : {"Cookie", "Accept-Language", "User-Agent", "Host", "X-Own"})
        origin.request.fields.add(name, "kept");
    for (const char* name :
         {"Content-Length", "content-type", "Transfer-Encoding", "Expect", "Range", "If-Range",
          "If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since",
          "Accept-Encoding", "Connection", "Keep-Alive", "TE", "Upgrade", "Proxy"})
        origin.request.fields.add(name, "dropped");

    site::DerivedRequest derived(origin.request);
    const http::Request& request = derived.request();
    CHECK(request.method == http::Method::get);
    CHECK(request.methodName == "GET");
    CHECK(request.body->length() == ByteCount{0});
    CHECK(request.id == "id-1");
    CHECK(request.host == origin.request.host);
    CHECK(request.endpoints == origin.request.endpoints);
    CHECK(fieldsOf(request) ==
          "Cookie=kept;Accept-Language=kept;User-Agent=kept;Host=kept;X-Own=kept;");
}

TEST_CASE("in place of the client's own it has what the client likes and has already") {
    using Purpose = site::DerivedRequest::Purpose;
    PageRequest origin("/cgi-bin/a");
    origin.request.method = http::Method::head;
    for (const char* name :
         {"Accept-Encoding", "Range", "If-None-Match", "Content-Type", "Upgrade"})
        origin.request.fields.add(name, "x");
    site::DerivedRequest answer(origin.request, Purpose::answer);
    CHECK(fieldsOf(answer.request()) == "Accept-Encoding=x;Range=x;If-None-Match=x;");
    CHECK(answer.request().method == http::Method::head);
    CHECK(answer.request().methodName == "HEAD");
    site::DerivedRequest page(origin.request, Purpose::page);
    CHECK(fieldsOf(page.request()) == "Accept-Encoding=x;");
    CHECK(page.request().method == http::Method::head);
    site::DerivedRequest fragment(origin.request);
    CHECK(fieldsOf(fragment.request()).empty());
    CHECK(fragment.request().method == http::Method::get);

    origin.request.method = http::Method::post; // its conditions spoke of what is posted to
    site::DerivedRequest afterPost(origin.request, Purpose::answer);
    CHECK(fieldsOf(afterPost.request()) == "Accept-Encoding=x;");
    CHECK(afterPost.request().method == http::Method::get);
}

TEST_CASE("it is aimed at a path with an optional query") {
    struct Case {
        const char* target;
        const char* path;
        const char* rawPath;
        const char* query;
        bool hasQuery;
    };
    const Case cases[] = {
        {"/a", "/a", "/a", "", false},
        {"/a?", "/a", "/a", "", true},
        {"/a%20b?x=%31", "/a b", "/a%20b", "x=%31", true},
        {"/a/../b?x#y", "/b", "/a/../b", "x", true},
        {"/a#y?x", "/a", "/a", "", false},
    };
    for (const Case& c : cases) {
        INFO(c.target);
        PageRequest origin("/page.shtml?mine");
        site::DerivedRequest derived(origin.request);
        REQUIRE_FALSE(derived.aimAt(c.target));
        CHECK(derived.request().path == c.path);
        CHECK(derived.request().rawPath == c.rawPath);
        CHECK(derived.request().query == c.query);
        CHECK(derived.request().hasQuery == c.hasQuery);
    }
}

TEST_CASE("a target that no request could have is refused") {
    for (const char* target : {"", "a", "http://b/", "/../x", "/a%00", "/a%2fb", "/%zz", "?x"}) {
        INFO(target);
        PageRequest origin("/page.shtml");
        site::DerivedRequest derived(origin.request);
        CHECK(derived.aimAt(target));
    }
}
